import { resolve } from 'node:path'
import type { Logger } from 'pino'
import { attachEmbedded } from '../adapters/database/embedded/attach.ts'
import { openEmbedded } from '../adapters/database/embedded/embedded.ts'
import { walSpoolOf } from '../adapters/database/embedded/wal-spool.ts'
import { openPostgres } from '../adapters/database/postgres.ts'
import type { Config } from '../config.ts'
import type { Database } from '../ports/database/database.ts'
import { openWalArchive } from './wal/archive.ts'
import { withShipping } from './wal/ship.ts'

export const openDatabase = async (
  config: Config,
  log: Logger,
  onFatal: ((error: Error) => void) | undefined,
  connectTimeoutMs?: number,
): Promise<Database> =>
  config.databaseUrl === undefined
    ? openOwn(config, log, onFatal)
    : openPostgres({
        connection: config.databaseUrl,
        applicationName: 'millseal',
        maxConnections: config.databaseConnections,
        connectTimeoutMs,
        log,
      })

/** Archives its write-ahead log until it is disposed. */
const openOwn = async (
  config: Config,
  log: Logger,
  onGivenUp: ((error: Error) => void) | undefined,
): Promise<Database> => {
  const dataDir = resolve(config.dataDir)
  const archive = config.walArchive === undefined ? undefined : openWalArchive(config)
  const database = await openEmbedded({
    dataDir,
    applicationName: 'millseal',
    durable: true,
    maxConnections: config.databaseConnections,
    log,
    onGivenUp,
    archivesWal: archive !== undefined,
  })
  return archive === undefined
    ? database
    : withShipping(database, { spool: walSpoolOf(dataDir), archive, log })
}

/** The database that the primary process has opened. */
export const openSharedDatabase = async (config: Config, log: Logger): Promise<Database> => {
  if (config.databaseUrl !== undefined) return await openDatabase(config, log, undefined)
  const database = await attachEmbedded({
    dataDir: resolve(config.dataDir),
    applicationName: 'millseal',
    maxConnections: config.databaseConnections,
    log,
  })
  if (database === undefined) throw new Error('The primary process has no database')
  return database
}
