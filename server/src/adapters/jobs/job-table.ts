import { sql } from 'kysely'
import type { Query } from '../../ports/database/database.ts'
import type { JobCounts } from '../../ports/jobs/jobs.ts'
import { failedQueue } from './settings.ts'

export type Attempt = { readonly id: string; readonly retryCount: number }

/**
 * Gives running jobs to other workers at once. A run cut short by a shutdown is not a failure, so it costs no retry; the
 * state is `retry` and not `created`, because only then does the next attempt count up and shut this one out.
 */
export const handBack = async (query: Query, kind: string, attempts: readonly Attempt[]): Promise<void> => {
  const held = attempts.map(({ id, retryCount }) => `${id}:${retryCount}`)
  await sql`
    update pgboss.job
    set state = 'retry', start_after = pgboss.job_now(), retry_limit = retry_limit + 1, heartbeat_on = null
    where name = ${kind} and state = 'active' and id = any(${attempts.map(({ id }) => id)}::uuid[])
      and id::text || ':' || retry_count::text = any(${held}::text[])`.execute(query)
}

/** The kinds of which a job is due: one statement for all of them. */
export const dueKinds = async (query: Query, kinds: readonly string[]): Promise<string[]> => {
  const { rows } = await sql<{ kind: string }>`
    select kind from unnest(${[...kinds]}::text[]) as given (kind)
    where exists (
      select from pgboss.job where name = kind and state < 'active' and start_after <= pgboss.job_now()
    )`.execute(query)
  return rows.map(({ kind }) => kind)
}

export const countJobs = async (query: Query): Promise<JobCounts[]> => {
  const { rows } = await sql<JobCounts>`
    select queue.name as kind,
      count(*) filter (where job.name = queue.name and job.state < 'active')::int as waiting,
      count(*) filter (where job.name = queue.name and job.state = 'active')::int as active,
      count(*) filter (where job.name = ${failedQueue})::int as failed,
      greatest(0, coalesce(extract(epoch from pgboss.job_now() - min(job.start_after) filter (
        where job.name = queue.name and job.state < 'active'
      )), 0))::float8 as overdue_seconds
    from pgboss.queue
    left join pgboss.job on job.state < 'completed'
      and queue.name = case job.name when ${failedQueue} then job.source_name else job.name end
    where queue.name <> ${failedQueue} and not starts_with(queue.name, '__pgboss')
    group by queue.name order by queue.name`.execute(query)
  return rows
}
