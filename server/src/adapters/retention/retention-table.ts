import { sql } from 'kysely'
import type { Clock } from '../../ports/clock/clock.ts'
import type { Database } from '../../ports/database/database.ts'
import type { RetentionTime } from '../../ports/retention/retention-time.ts'

const hoursPerRun = 2

/** Remembers in the table `retention_times` how far each kind has come, because a clock can jump between two processes. */
export const createRetentionTime = ({
  database,
  clock,
}: {
  readonly database: Database
  readonly clock: Clock
}): RetentionTime => ({
  async advance(kind) {
    const now = new Date(clock.now())
    const { rows } = await sql<{ time: Date }>`
      insert into retention_times as r (kind, time) values (${kind}, ${now})
      on conflict (kind) do update set
        time = greatest(r.time, least(excluded.time, r.time + ${hoursPerRun}::int * interval '1 hour'))
      returning least(time, ${now}::timestamptz) as time`.execute(database.query)
    const [row] = rows
    if (row === undefined) throw new Error('The time of a retention was not stored')
    return row.time
  },
})
