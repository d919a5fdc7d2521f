import { type FailedJob, operations } from '@millseal/contract'
import { because } from '@millseal/contract/reasons'
import { type Binding, bindTo, type Call } from '../../../http/binding.ts'
import { listPage, tellTotal } from '../../../http/page.ts'
import { principalName } from '../../../http/principal.ts'
import { Problem } from '../../../lib/problem.ts'
import type { FailedJob as Failed } from '../../../ports/jobs/failed-work.ts'
import type { UserDependencies } from '../dependencies.ts'

export const failedJobRoutes = (deps: UserDependencies): readonly Binding[] => {
  const bind = bindTo(deps)
  return [
    bind(operations.listFailedJobs, listFailedJobs),
    bind(operations.readFailedJob, async ({ jobs, database }, { params }) =>
      toResponse(found(await jobs.failed.find(database.query, params.id))),
    ),
    bind(operations.runJobAgain, runJobAgain),
  ]
}

const listFailedJobs = async (
  { jobs, database: { query } }: UserDependencies,
  call: Call<typeof operations.listFailedJobs>,
): Promise<FailedJob[]> => {
  const { kind, after: afterId } = call.query
  const after = afterId === undefined ? undefined : await jobs.failed.find(query, afterId)
  // It was run again since the previous page.
  if (afterId !== undefined && after === undefined) {
    throw new Problem('validation_failed', {
      reasons: [because('not_among_failed_jobs', { place: 'query/after' })],
    })
  }
  const page = await listPage(
    call,
    ({ limit }) => jobs.failed.list(query, { kind, after, limit }),
    ({ id }) => id,
  )
  await tellTotal(call, async (atMost) => {
    const all = await jobs.failed.list(query, { kind, after: undefined, limit: atMost })
    return all.length
  })
  return page.map(toResponse)
}

const runJobAgain = async (
  { jobs, database, audit }: UserDependencies,
  { params, principal, client, commit }: Call<typeof operations.runJobAgain>,
): Promise<{ id: string }> => {
  const id = params.id.toLowerCase()
  const { kind, data, error } = found(await jobs.failed.find(database.query, id))
  return commit(async (tx) => {
    if (!(await jobs.failed.runAgain(tx, id))) throw new Problem('not_found')
    await audit.write(tx, {
      actor: principalName(principal),
      action: 'jobs.run_again',
      subject: `job:${id}`,
      ipAddress: client.ip,
      details: { kind, data, error },
    })
    return { id }
  })
}

const found = (job: Failed | undefined): Failed => {
  if (job === undefined) throw new Problem('not_found')
  return job
}

const toResponse = ({ createdAt, failedAt, data, reasons, ...job }: Failed): FailedJob => ({
  ...job,
  reasons: reasons?.map((reason) => ({ ...reason })),
  createdAt: createdAt.toISOString(),
  failedAt: failedAt.toISOString(),
  data: { ...data },
})
