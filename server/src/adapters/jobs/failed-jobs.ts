import { sql } from 'kysely'
import { because, inEnglish } from '@millseal/contract/reasons'
import { Problem } from '../../lib/problem.ts'
import { reasonWithoutSecrets, withoutSecrets } from '../../lib/without-secrets.ts'
import type { Query, Transaction } from '../../ports/database/database.ts'
import type { FailedJob, FailedPage, FailedWork } from '../../ports/jobs/failed-work.ts'
import { failedQueue } from './settings.ts'

export type SentAgain = Pick<FailedJob, 'id' | 'data'>

export type FailedJobsOptions = {
  /** By kind. */
  readonly ownWork: ReadonlyMap<string, FailedWork>
  /** False if there is no such kind any more. */
  readonly send: (tx: Transaction, kind: string, job: SentAgain) => Promise<boolean>
}

const maxErrorLength = 300

/** The jobs of the queue `failed`, together with the failed work of services. */
export const createFailedJobs = ({ ownWork, send }: FailedJobsOptions): FailedWork => ({
  async list(query, page) {
    const others = [...ownWork].filter(([kind]) => page.kind === undefined || page.kind === kind)
    const found = await Promise.all([
      listJobs(query, page),
      ...others.map(([, work]) => work.list(query, page)),
    ])
    return found.flat().toSorted(newestFirst).slice(0, page.limit)
  },
  async find(query, id) {
    const [job] = await listJobs(query, { id, kind: undefined, after: undefined, limit: 1 })
    if (job !== undefined) return job
    const found = await Promise.all([...ownWork.values()].map((work) => work.find(query, id)))
    return found.find((one) => one !== undefined)
  },
  async runAgain(tx, id) {
    const job = await takeJob(tx, id)
    if (job === undefined) {
      for (const work of ownWork.values()) if (await work.runAgain(tx, id)) return true
      return false
    }
    // The same id: a mail that it sends again has the same Message-ID.
    if (await send(tx, job.kind, { id: job.sourceId, data: job.data })) return true
    throw new Problem('job_not_repeatable', { reasons: [because('job_kind_unknown', { kind: job.kind })] })
  },
})

const newestFirst = (one: FailedJob, other: FailedJob): number =>
  other.failedAt.getTime() - one.failedAt.getTime() || (other.id < one.id ? -1 : 1)

const listJobs = async (
  query: Query,
  { kind, after, limit, id }: FailedPage & { readonly id?: string },
): Promise<FailedJob[]> => {
  const { rows } = await sql<
    Omit<FailedJob, 'error' | 'data'> & {
      readonly error: string | null
      readonly data: object | null
    }
  >`
    select id, source_name as kind, source_created_on as created_at,
      date_trunc('milliseconds', created_on) as failed_at, source_retry_count + 1 as attempts,
      source_output ->> 'message' as error, source_output -> 'reasons' as reasons, data
    from pgboss.job
    where name = ${failedQueue} and state < 'active'
      and (${id ?? null}::uuid is null or id = ${id ?? null}::uuid)
      and (${kind ?? null}::text is null or source_name = ${kind ?? null}::text)
      and (${after?.id ?? null}::uuid is null or (date_trunc('milliseconds', created_on), id)
        < (${after?.failedAt ?? null}::timestamptz, ${after?.id ?? null}::uuid))
    order by date_trunc('milliseconds', created_on) desc, id desc limit ${limit}`.execute(query)
  return rows.map((row) => {
    const reasons = row.error === null ? [because('job_too_slow')] : (row.reasons ?? undefined)
    return {
      ...row,
      error: withoutSecrets(row.error ?? inEnglish(because('job_too_slow')), maxErrorLength),
      reasons: reasons?.map(reasonWithoutSecrets),
      data: row.data ?? {},
    }
  })
}

type Taken = { readonly kind: string; readonly sourceId: string; readonly data: object }

/** Deletes it with what the queue still knows of its attempts, so that its id is free. */
const takeJob = async (tx: Transaction, id: string): Promise<Taken | undefined> => {
  const { rows } = await sql<Taken>`
    delete from pgboss.job where name = ${failedQueue} and id = ${id}::uuid and state < 'active'
    returning source_name as kind, source_id, coalesce(data, '{}') as data`.execute(tx)
  const [job] = rows
  if (job === undefined) return undefined
  await sql`
    delete from pgboss.job where name = ${job.kind} and id = ${job.sourceId} and state = 'failed'`.execute(tx)
  return job
}
