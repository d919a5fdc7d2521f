import type { Database } from '../../../ports/database/database.ts'
import { openPostgres } from '../postgres.ts'
import { type LaunchOptions, launchEmbedded } from './launcher.ts'

export interface EmbeddedOptions extends LaunchOptions {
  readonly applicationName: string
  readonly maxConnections: number
}

export interface EmbeddedDatabase extends Database {
  /** The process id of PostgreSQL. Undefined until a stopped server is restarted. */
  readonly pid: number | undefined
}

/** A database without set-up: PostgreSQL from npm in the data folder. Disposing it stops the server. */
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
