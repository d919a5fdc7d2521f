import type { Database } from '../../../ports/database/database.ts'
import { openPostgres } from '../postgres.ts'
import { type LaunchOptions, launchEmbedded } from './launcher.ts'

export interface EmbeddedOptions extends LaunchOptions {
  readonly applicationName: string
  readonly maxConnections: number
}

export interface EmbeddedDatabase extends Database {
  /** Of the server program; undefined between its end and its restart. */
  readonly pid: number | undefined
}

/** The database that needs no set-up: PostgreSQL from npm in the data folder. Disposing it stops it. */
export async function openEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const launched = await launchEmbedded(options)
  const { connection } = launched
  const { query, transaction, listen, check, ...database } = openPostgres({ ...options, connection })
  return {
    query,
    transaction,
    listen,
    check,
    get connection() {
      return database.connection
    },
    get pid() {
      return launched.pid
    },
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]()
      await launched[Symbol.asyncDispose]()
    },
  }
}
