import { CamelCasePlugin, type Kysely, type Transaction as KyselyTransaction } from 'kysely'
import type { ClientConfig } from 'pg'
import type { DB } from './tables.ts'

/** No tables known: a room narrows it with `.withTables<ItsOwnTables>()` inside its store, so that no room sees another's. */
export type Query = Kysely<object>
export type Transaction = KyselyTransaction<object>

const camelCase = new CamelCasePlugin({ maintainNestedObjectKeys: true })

/** The same connection, with the types of all tables and their columns in camelCase. */
export const tables = (query: Query): Kysely<DB> => query.withPlugin(camelCase)

/**
 * Where everything lives that must survive the process.
 *
 * What a method that writes has acknowledged is on disk: it survives `kill -9` of this process and of the database.
 * A statement that asks for less says so (`commit-later.ts`).
 * A lost connection fails the statement in flight with a `DatabaseUnavailable`; the next one reconnects.
 */
export interface Database extends AsyncDisposable {
  /** For reads, and for writes that are one statement. */
  readonly query: Query

  /**
   * Runs `work` in one transaction: all of it is durable when the promise resolves, nothing of it happened when it rejects.
   * One exception: after a `DatabaseUnavailable` the commit may have gone through without our hearing of it.
   * Never retried here: the caller knows whether a second run is harmless.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>

  /**
   * Calls `onNews` with what a transaction that notified this channel has said, once it commits; with nothing whenever
   * news may have been missed. Only a hint: whoever depends on it looks by itself as well, so a lost connection costs
   * time and nothing else.
   */
  listen(channel: string, onNews: (news?: string) => void): AsyncDisposable

  /** How another library (the job queue) opens connections of its own to the same database. */
  readonly connection: ClientConfig

  /** Resolves when a statement went through before `signal` aborts; rejects with `DatabaseUnavailable` otherwise. */
  check(signal: AbortSignal): Promise<void>
}

/** The database could not be reached, or the connection broke in mid-statement. Callers answer 503, never 500. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable'
}
