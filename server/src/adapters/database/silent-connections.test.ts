import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { Pool } from 'pg'
import { DatabaseUnavailable, type Query } from '../../ports/database/database.ts'
import { openTestDatabase } from '../../../test/database.ts'
import { eventually, generousMs } from '../../../test/eventually.ts'
import { openNetworkTo, type SilentNetwork } from '../../../test/silent-network.ts'
import { silentLog } from '../../../test/silent-log.ts'
import { openPostgres } from './postgres.ts'
import { preparingClient } from './preparing-client.ts'
import type { SilenceWatchOptions } from './silent-connections.ts'

const connections = 4

describe('connections that the network forgot without closing them', () => {
  test('end long before their statement times out, those that waited unused too', async () => {
    await using network = await openNetwork()
    await using database = openPostgres({
      connection: network.databaseUrl,
      applicationName: 'forgotten',
      maxConnections: connections,
      connectTimeoutMs: generousMs,
      log: silentLog,
    })
    const { query } = database
    const ask = () => sql`select pg_sleep(0.1)`.execute(query)
    const locked = database.transaction(async (held) => {
      await lock(held)
      await Promise.all(Array.from({ length: connections - 1 }, ask))
      network.fallSilent()
      network.recover()
      await askAgain(held)
    })
    await assert.rejects(locked, forgotten)
    for (let time = 0; time < connections; time += 1) await ask()
    assert.equal(
      (await lock(query)).rows[0]?.free,
      true,
      'the server still holds the lock of the lost connection',
    )
  })

  test('end with one that waited, also if they were still being opened, or asked later', async () => {
    await using network = await openNetwork()
    await using opened = openPool(network, { patienceMs: 50, everyMs: 50 })
    const { pool } = opened
    const [first, second] = [await pool.connect(), await pool.connect()]
    network.fallSilent()
    const lost = [first.query('select 1'), pool.connect(), pool.connect()].map(lossOf)
    await eventually(() => network.countOpen() >= 6, { what: 'asks the server again before an answer' })
    const asked = lossOf(second.query('select 1'))
    network.recover()
    assert.deepEqual(await Promise.all([...lost, asked]), Array(4).fill(true))
    for (const client of [first, second]) client.release(true)
    assert.equal((await pool.query('select 1 as done')).rows[0].done, 1)
  })

  test('are not those that the server works for', async () => {
    await using network = await openNetwork()
    await using opened = openPool(network, { patienceMs: 50, everyMs: 50 })
    const { pool } = opened
    await pool.query('select 1')
    const { rows } = await pool.query('select pg_sleep(3), 1 as done')
    assert.equal(rows[0].done, 1)
  })
})

const lock = (query: Query) =>
  sql<{ free: boolean }>`select pg_try_advisory_xact_lock(7) as free`.execute(query)
const askAgain = (query: Query) => sql`select 2`.execute(query)

const forgotten = (error: unknown): boolean =>
  error instanceof DatabaseUnavailable && /Connection terminated/.test(error.message)

/** Long, so that only the watch ends them. */
const connectionTimeoutMillis = generousMs

const openPool = ({ databaseUrl }: SilentNetwork, patience: SilenceWatchOptions) => {
  const pool = new Pool({
    connectionString: databaseUrl,
    Client: preparingClient({ silence: patience }),
    max: connections,
    connectionTimeoutMillis,
  })
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return { pool, [Symbol.asyncDispose]: () => pool.end() }
}

const lossOf = (asked: Promise<unknown>): Promise<boolean> =>
  asked.then(
    () => false,
    (error: Error) => error.message.includes('the network forgot it'),
  )

const openNetwork = async () => {
  await using opened = new AsyncDisposableStack()
  const database = opened.use(await openTestDatabase({ migrated: false }))
  const network = opened.use(await openNetworkTo(database))
  const owned = opened.move()
  return { ...network, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}
