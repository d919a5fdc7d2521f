import { Kysely, PostgresDialect, type PostgresPool, sql } from 'kysely'
import { type Client, type ClientConfig, escapeIdentifier } from 'pg'
import type { Query } from '../../ports/database/database.ts'
import type { DB } from '../../ports/database/tables.ts'
import { camelCaseColumns } from './camel-case-columns.ts'
import { GuardedClient } from './guarded-pool.ts'
import { answerTimeoutMs, noticeLoss, statementTimeoutMs } from './notice-loss.ts'
import { preparingClient } from './preparing-client.ts'
import { asUnavailable, isConnectionLoss } from './unavailable.ts'
import { valueTypes } from './value-types.ts'

/** A connection of its own, for what PostgreSQL ties to a connection: an advisory lock and notifications. */
export type DatabaseSession = {
  /** One statement at a time, on this connection and no other: it fails once the lock is lost. */
  readonly query: Query
  /** PostgreSQL releases the lock when the connection ends. */
  tryLock(...key: readonly number[]): Promise<boolean>
  close(): Promise<void>
}

export type SessionOptions = {
  readonly connection: ClientConfig
  /** Shown in `pg_stat_activity`. */
  readonly applicationName: string
  readonly channels: readonly string[]
  /** SQL to run first. */
  readonly setup?: string
  readonly onNotification: (channel: string, payload: string) => void
  /** Called at most once, and never before the session is open or after `close`. */
  readonly onLost: (error: Error) => void
}

/** Longer than for a request: a start on a machine that is busy recovering would fail, and start again. */
const connectTimeoutMs = 15_000

export const openSession = async (options: SessionOptions): Promise<DatabaseSession> => {
  const { connection, applicationName, channels, setup = '', onNotification, onLost } = options
  const PreparingClient = preparingClient()
  const client = new PreparingClient({
    ...connection,
    application_name: applicationName,
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: statementTimeoutMs,
    query_timeout: answerTimeoutMs,
    keepAlive: true,
    types: valueTypes,
  })
  let state: 'opening' | 'open' | 'closed' = 'opening'
  const close = async (): Promise<void> => {
    state = 'closed'
    await client.end().catch(() => {})
  }
  const lose = (error: Error): void => {
    if (state === 'open') onLost(error)
    if (state !== 'closed') void close()
  }
  client.on('error', lose)
  client.on('end', () => lose(new Error('The database connection ended')))
  client.on('notification', ({ channel, payload = '' }) => onNotification(channel, payload))
  try {
    await client.connect()
    const listens = channels.map((channel) => `listen ${escapeIdentifier(channel)}`)
    await client.query([noticeLoss, ...listens, setup].join('; '))
  } catch (error) {
    await close()
    throw asUnavailable(error)
  }
  state = 'open'
  const query = new Kysely<DB>({
    dialect: new PostgresDialect({ pool: poolOf(client, lose) }),
    plugins: [camelCaseColumns],
  })
  return {
    query,
    async tryLock(...key) {
      const lock = sql<{ held: boolean }>`select pg_try_advisory_lock(${sql.join(key)}) as held`
      return (await lock.execute(query)).rows[0]?.held === true
    },
    close,
  }
}

/** The one client, lent to one statement after the other: pg no longer wants statements to queue in the client itself. */
const poolOf = (client: Client, lose: (error: Error) => void): PostgresPool => {
  let last: Promise<void> = Promise.resolve()
  const query = async (text: string, values: unknown[]) => {
    try {
      return await client.query(text, values)
    } catch (error) {
      if (error instanceof Error && isConnectionLoss(error)) lose(error)
      throw error
    }
  }
  return {
    Client: client.constructor as typeof Client,
    options: {},
    async connect() {
      const turn = last
      const { promise, resolve } = Promise.withResolvers<void>()
      last = promise
      await turn
      return new GuardedClient({ query, release: () => resolve() })
    },
    async end() {},
  }
}
