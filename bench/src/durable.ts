import { openEmbedded } from '../../server/src/adapters/database/embedded/embedded.ts'
import { migrate } from '../../server/src/adapters/database/migrate.ts'
import type { Database } from '../../server/src/ports/database/database.ts'
import { silentLog } from '../../server/test/silent-log.ts'

/** Embedded and durable, with all tables and as many connections as a server; this process is its only client. */
export const openDurableDatabase = async (dataDir: string): Promise<Database> => {
  const options = { dataDir, applicationName: 'bench', durable: true, maxConnections: 16, log: silentLog }
  const database = await openEmbedded(options)
  await migrate({ connection: database.connection, log: silentLog })
  return database
}
