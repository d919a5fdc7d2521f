import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import { Client, type Pool, type PoolClient } from 'pg'
import { asUnavailable, isConnectionLoss } from './unavailable.ts'

/** Kysely's view of a pg pool in which a lost connection is a `DatabaseUnavailable` and never goes back to the pool. */
export function guardPool(pool: Pool): PostgresPool {
  // A client in use has no error listener of its own: without one, a restart of the database ends this process.
  pool.on('connect', (client) => client.on('error', () => {}))
  return {
    Client,
    options: pool.options,
    async connect() {
      try {
        return new GuardedClient(await pool.connect())
      } catch (error) {
        throw asUnavailable(error)
      }
    },
    end: () => pool.end(),
  }
}

class GuardedClient implements PostgresPoolClient {
  readonly #client: PoolClient
  #lost = false

  constructor(client: PoolClient) {
    this.#client = client
  }

  query<R>(statement: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>
  query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>
  query<R>(
    statement: string | PostgresCursor<R>,
    parameters: readonly unknown[] = [],
  ): Promise<PostgresQueryResult<R>> | PostgresCursor<R> {
    if (typeof statement !== 'string') throw new TypeError('This pool runs no cursors')
    return this.#run<R>(statement, parameters)
  }

  async #run<R>(statement: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>> {
    try {
      const { command, rowCount, rows } = await this.#client.query(statement, [...parameters])
      return { command: command as PostgresQueryResult<R>['command'], rowCount: rowCount ?? 0, rows }
    } catch (error) {
      this.#lost ||= isConnectionLoss(error)
      // The loss itself has rolled back; failing here would hide why the caller wanted it.
      if (this.#lost && statement === 'rollback') return { command: 'ROLLBACK', rowCount: 0, rows: [] }
      throw asUnavailable(error)
    }
  }

  release(destroy = false): void {
    this.#client.release(this.#lost || destroy)
  }
}
