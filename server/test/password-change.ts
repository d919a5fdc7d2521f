import { sql } from 'kysely'
import { openPostgres } from '../src/adapters/database/postgres.ts'
import { eventually } from './eventually.ts'
import { silentLog } from './silent-log.ts'
import type { TestServer } from './test-server.ts'

/** Changes the password of a user while `request` waits to lock it: the change commits first. */
export const duringPasswordChange = async <T>(
  { config }: TestServer,
  userId: string,
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
      where datname = current_database() and wait_event_type = 'Lock' and query like '%for share%'`.execute(
      database.query,
    )
    return rows.length > 0
  }
  const { answer } = await database.transaction(async (tx) => {
    await tx.updateTable('users').set({ passwordHash: 'changed' }).where('id', '=', userId).execute()
    const requested = request()
    // The caller awaits it later; a rejection before that must not count as unhandled.
    requested.catch(() => {})
    await eventually(waitsForLock)
    return { answer: requested }
  })
  return answer
}
