import { Kysely, PostgresDialect } from 'kysely'
import { type ClientConfig, Pool } from 'pg'
import type { Logger } from 'pino'
import { because } from '@millseal/contract/reasons'
import { type Database, DatabaseUnavailable } from '../../ports/database/database.ts'
import { answerTimeoutMs, statementTimeoutMs } from './notice-loss.ts'
import { guardPool } from './guarded-pool.ts'
import { listen } from './listen.ts'
import { startDeadline } from '../../lib/deadline.ts'
import { preparingClient } from './preparing-client.ts'
import { type TakeConnection, waitingPatiently } from './take-connection.ts'
import type { DB } from '../../ports/database/tables.ts'
import { camelCaseColumns } from './camel-case-columns.ts'
import { asUnavailable } from './unavailable.ts'
import { valueTypes } from './value-types.ts'

export type DatabaseLog = Logger

export interface PostgresOptions {
  /** A `postgresql://` address, or its parts. */
  readonly connection: string | ClientConfig
  /** Shown in `pg_stat_activity`. */
  readonly applicationName: string
  readonly maxConnections: number
  /** How long a query waits for a connection; a test that is not about it waits as long as it takes. */
  readonly connectTimeoutMs?: number
  readonly log: DatabaseLog
}

const usualConnectTimeoutMs = 5_000
const lockTimeoutMs = 10_000
const idleInTransactionTimeoutMs = 60_000
const endTimeoutMs = 10_000
/** Without it, a dead connection that only listens is detected after two hours. */
const keepAliveDelayMs = 10_000

/** Connects on first use. Any PostgreSQL from 15 on, over TCP or a unix socket. */
export function openPostgres({
  connection,
  applicationName,
  maxConnections,
  connectTimeoutMs = usualConnectTimeoutMs,
  log,
}: PostgresOptions): Database {
  const server = typeof connection === 'string' ? { connectionString: connection } : connection
  const address: ClientConfig = {
    ...server,
    application_name: applicationName,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveDelayMs,
  }
  const pool = new Pool({
    ...address,
    connectionTimeoutMillis: 0,
    Client: preparingClient({ connectTimeoutMs }),
    max: maxConnections,
    statement_timeout: statementTimeoutMs,
    lock_timeout: lockTimeoutMs,
    idle_in_transaction_session_timeout: idleInTransactionTimeoutMs,
    query_timeout: answerTimeoutMs,
    types: valueTypes,
  })
  // A database that stops may end a connection before it reads our goodbye.
  pool.on('error', (error) =>
    log[pool.ending ? 'debug' : 'warn']({ reason: error.message }, 'an idle database connection broke'),
  )
  const takeConnection = waitingPatiently(pool, connectTimeoutMs)
  const query = new Kysely<DB>({
    dialect: new PostgresDialect({ pool: guardPool(pool, takeConnection) }),
    plugins: [camelCaseColumns],
  })
  return {
    query,
    // A getter, so that printing the database does not print the password.
    get connection() {
      return address
    },
    transaction: (work) => query.transaction().execute(work),
    listen: (channel, onNews) => listen({ connection: address, channel, onNews, log }),
    check: (signal) => check(takeConnection, signal),
    [Symbol.asyncDispose]: () => end(pool, log),
  }
}

async function check(takeConnection: TakeConnection, signal: AbortSignal): Promise<void> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const abort = (): void => {
    reject(new DatabaseUnavailable(because('database_silent'), { cause: signal.reason }))
  }
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort)
  try {
    await Promise.race([ping(takeConnection, aborted), aborted])
  } catch (error) {
    throw asUnavailable(error)
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

/** Discards its connection at the deadline: repeated checks of a hanging database must not use up the pool. */
async function ping(takeConnection: TakeConnection, aborted: Promise<never>): Promise<void> {
  const client = await takeConnection()
  try {
    await Promise.race([client.query('select 1'), aborted])
    client.release()
  } catch (error) {
    client.release(true)
    throw error
  }
}

/** Waits for the statements in progress, up to a limit. */
async function end(pool: Pool, log: DatabaseLog): Promise<void> {
  if (pool.ending) return
  const late = Promise.withResolvers<'late'>()
  using _deadline = startDeadline(endTimeoutMs, () => late.resolve('late'))
  if ((await Promise.race([pool.end(), late.promise])) === 'late')
    log.warn({}, 'left database statements unfinished')
}
