import { sql } from 'kysely'
import type { Query } from '../../ports/database/database.ts'

/** How much pg-boss may be ahead of the clock of the database before that clock counts as set back. */
const toleranceSeconds = 60

/**
 * After the clock of the database was set back, pg-boss would wait for it to catch up: with schedules, with looking for
 * jobs of dead workers, and with retries. This moves the times it stored to the present. The last look at the schedules,
 * a few seconds old, tells by how much; the lock of its row lets one process do so. Returns the seconds.
 */
export const followClockSetBack = async (query: Query): Promise<number | undefined> => {
  const { rows } = await sql<{ seconds: number }>`
    with set_back as (
      select cron_on - pgboss.job_now() as ahead from pgboss.version
      where cron_on > pgboss.job_now() + ${toleranceSeconds}::int * interval '1 second' for update
    ), looks as (
      update pgboss.version set cron_on = pgboss.job_now(), bam_on = null, flow_on = null, reindex_on = null,
        monitor_backoff_on = null
      from set_back
    ), queues as (
      update pgboss.queue set monitor_on = least(monitor_on, pgboss.job_now()),
        monitor_claim_on = least(monitor_claim_on, pgboss.job_now()), maintain_on = least(maintain_on, pgboss.job_now())
      from set_back
    ), scheduled as (
      -- Each stands for one minute of a schedule, in which it would not run again.
      delete from pgboss.job using set_back
      where name = '__pgboss__send-it' and singleton_on > pgboss.job_now() at time zone 'UTC' - interval '1 minute'
      returning id
    ), jobs as (
      update pgboss.job set
        created_on = case when created_on > pgboss.job_now() then created_on - ahead else created_on end,
        started_on = least(started_on, pgboss.job_now()),
        heartbeat_on = least(heartbeat_on, pgboss.job_now()),
        completed_on = least(completed_on, pgboss.job_now()),
        start_after = case when state < 'active' then start_after - ahead else start_after end
      from set_back
      where greatest(created_on, started_on, heartbeat_on, completed_on) > pgboss.job_now()
        and id not in (select id from scheduled)
    )
    select extract(epoch from ahead)::float8 as seconds from set_back`.execute(query)
  return rows[0]?.seconds
}
