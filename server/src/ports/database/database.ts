import type { Kysely, Transaction as KyselyTransaction } from 'kysely'
import type { ClientConfig } from 'pg'
import { ExplainedError } from '../../lib/explained-error.ts'
import type { DB } from './tables.ts'

/** Knows all tables; columns are in camelCase, also in the rows of raw SQL. */
export type Query = Kysely<DB>
export type Transaction = KyselyTransaction<DB>

/**
 * Durable storage.
 *
 * A write is on disk when its promise resolves: it survives `kill -9` of this process and of the database, unless the
 * statement uses `commitLater`. If the connection is lost, the running statement fails with `DatabaseUnavailable`; the
 * next one reconnects.
 */
export interface Database extends AsyncDisposable {
  /** For reads and for writes of a single statement. */
  readonly query: Query

  /**
   * Runs `work` in one transaction. If the promise resolves, all of it is durable; if it rejects, nothing happened.
   * Exception: after `DatabaseUnavailable` the commit may have succeeded. Never retries: only the caller knows whether a
   * second run is harmless.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>

  /**
   * Calls `onNotification` with the payload of each committed notification on this channel, and without one if
   * notifications may have been lost. Only a hint: listeners must also poll, so a lost connection costs nothing but
   * time.
   */
  listen(channel: string, onNotification: (payload?: string) => void): AsyncDisposable

  /** For libraries that open their own connections, such as the job queue. */
  readonly connection: ClientConfig

  /** Resolves if a statement succeeds before `signal` aborts; otherwise rejects with `DatabaseUnavailable`. */
  check(signal: AbortSignal): Promise<void>
}

/** The database cannot be reached, or the connection was lost during a statement. Callers answer 503, never 500. */
export class DatabaseUnavailable extends ExplainedError {
  override readonly name = 'DatabaseUnavailable'
}
