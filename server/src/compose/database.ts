import { resolve } from 'node:path'
import type { Logger } from 'pino'
import { attachEmbedded } from '../adapters/database/embedded/attach.ts'
import { openEmbedded } from '../adapters/database/embedded/embedded.ts'
import { openPostgres } from '../adapters/database/postgres.ts'
import type { Config } from '../config.ts'
import type { Database } from '../ports/database/database.ts'

export const openDatabase = async (
  config: Config,
  log: Logger,
  onFatal: ((error: Error) => void) | undefined,
): Promise<Database> =>
  config.databaseUrl === undefined
    ? openEmbedded({
        dataDir: resolve(config.dataDir),
        applicationName: 'millseal',
        durable: true,
        maxConnections: config.databaseConnections,
        log,
        onGivenUp: onFatal,
      })
    : openPostgres({
        connection: config.databaseUrl,
        applicationName: 'millseal',
        maxConnections: config.databaseConnections,
        log,
      })

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
