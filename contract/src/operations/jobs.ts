import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { byId, Deleted } from '../shapes/common.ts'
import { FailedJob } from '../shapes/jobs.ts'

const jobs = { service: 'user-service', variant: 'current', access: 'user', admin: true } as const

export const listFailedJobs = operation({
  ...jobs,
  id: 'jobs.list_failed',
  method: 'GET',
  path: '/jobs/failed',
  summary: 'List the jobs and notarizations that failed for good',
  description: `The newest failure first, for a month. The first page has the headers \`X-Total-Count\`, at most ${limits.countedEntries}, and \`X-Total-Count-Exact\`, which is false if there are more.`,
  query: Type.Object({
    kind: Type.Optional(Type.String({ ...limits.jobKind, description: 'Such as `notarization`' })),
  }),
  answer: { kind: 'json', status: 200, schema: Type.Array(FailedJob) },
  list: true,
})

export const readFailedJob = operation({
  ...jobs,
  id: 'jobs.read_failed',
  method: 'GET',
  path: '/jobs/failed/{id}',
  summary: 'Read a job that failed for good',
  params: byId,
  answer: { kind: 'json', status: 200, schema: FailedJob },
})

export const runJobAgain = operation({
  ...jobs,
  id: 'jobs.run_again',
  method: 'POST',
  path: '/jobs/failed/{id}/run-again',
  summary: 'Run a failed job again',
  description:
    'It starts with its first attempt. A second call answers 404, because the job is no longer among the failed ones.',
  params: byId,
  answer: { kind: 'json', status: 200, schema: Deleted },
  errors: ['job_not_repeatable'],
})
