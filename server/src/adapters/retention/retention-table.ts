import { sql } from 'kysely'
import type { Clock } from '../../ports/clock/clock.ts'
import type { Database } from '../../ports/database/database.ts'
import type { RetentionTime } from '../../ports/retention/retention-time.ts'

const hoursPerRun = 2
/** After a day in which nobody corrected the clock, it is taken to be right: the server was stopped, or nobody will. */
const cautiousRuns = 24

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
        time = case when r.runs_behind >= ${cautiousRuns} then greatest(r.time, excluded.time)
          else greatest(r.time, least(excluded.time, r.time + ${hoursPerRun}::int * interval '1 hour')) end,
        runs_behind = case when r.runs_behind < ${cautiousRuns}
            and excluded.time > r.time + ${hoursPerRun}::int * interval '1 hour'
          then r.runs_behind + 1 else 0 end
      returning least(time, ${now}::timestamptz) as time`.execute(database.query)
    const [row] = rows
    if (row === undefined) throw new Error('The time of a retention was not stored')
    return row.time
  },
})
