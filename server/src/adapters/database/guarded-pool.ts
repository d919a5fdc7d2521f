import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import { Client, type Pool, type QueryResult } from 'pg'
import type { TakeConnection } from './take-connection.ts'
import { asUnavailable, isConnectionLoss } from './unavailable.ts'

/** A pg pool for Kysely: a lost connection is a `DatabaseUnavailable` and never returns to the pool. */
export function guardPool(pool: Pool, takeConnection: TakeConnection): PostgresPool {
  // A client in use has no error listener of its own. Without one, a restart of the database would end this process.
  pool.on('connect', (client) => client.on('error', () => {}))
  return {
    Client,
    options: pool.options,
    async connect() {
      try {
        return new GuardedClient(await takeConnection())
      } catch (error) {
        throw asUnavailable(error)
      }
    },
    end: () => pool.end(),
  }
}

type LentClient = {
  query(text: string, values: unknown[]): Promise<Pick<QueryResult, 'command' | 'rowCount' | 'rows'>>
  release(destroy?: boolean): void
}

export class GuardedClient implements PostgresPoolClient {
  readonly #client: LentClient
  #lost = false

  constructor(client: LentClient) {
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
      // The loss itself rolled back; an error here would hide the reason for the rollback.
      if (this.#lost && statement === 'rollback') return { command: 'ROLLBACK', rowCount: 0, rows: [] }
      throw asUnavailable(error)
    }
  }

  release(destroy = false): void {
    this.#client.release(this.#lost || destroy)
  }
}
