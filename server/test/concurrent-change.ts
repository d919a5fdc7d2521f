import { sql } from 'kysely'
import { openPostgres } from '../src/adapters/database/postgres.ts'
import type { Transaction } from '../src/ports/database/database.ts'
import { eventually } from './eventually.ts'
import { silentLog } from './silent-log.ts'
import type { TestServer } from './test-server.ts'

type Concurrent = {
  readonly change: (tx: Transaction) => Promise<unknown>
  /** The lock that the request waits for. */
  readonly lock: 'share' | 'update'
}

/** Changes rows while `request` waits to lock them: the change commits first. */
export const duringChange = async <T>(
  { config }: TestServer,
  { change, lock }: Concurrent,
  request: () => Promise<T>,
): Promise<T> => {
  await using database = openPostgres({
    connection: config.databaseUrl ?? '',
    applicationName: 'test',
    maxConnections: 2,
    log: silentLog,
  })
  const waitsForLock = async (): Promise<boolean> => {
    const { rows } = await sql`
      select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like ${`%for ${lock}%`}`.execute(
      database.query,
    )
    return rows.length > 0
  }
  const { answer } = await database.transaction(async (tx) => {
    await change(tx)
    const requested = request()
    // The caller awaits it later; a rejection before that must not count as unhandled.
    requested.catch(() => {})
    await eventually(waitsForLock)
    return { answer: requested }
  })
  return answer
}
