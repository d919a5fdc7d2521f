import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { PdfRenderer } from '@millseal/families'
import { type RawBuilder, sql } from 'kysely'
import { storedCertificate } from '../../../../test/certificate-service.ts'
import { eventually, generousMs } from '../../../../test/eventually.ts'
import { silentLog } from '../../../../test/silent-log.ts'
import { addressOf } from '../../../../test/test-server.ts'
import { openPostgres } from '../../../adapters/database/postgres.ts'
import type { Database } from '../../../ports/database/database.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { notarizationChannel } from './queue.store.ts'
import { startNotarizing } from './work-notarizations.ts'
import { openWorkingMill, times, type WorkingMill } from './working-mill.suite.ts'

let mill: WorkingMill
let deps: CertificateDependencies
before(async () => {
  mill = await openWorkingMill('stopping-mill')
  ;({ deps } = mill)
})
after(() => mill[Symbol.asyncDispose]())

const isListening = async (): Promise<boolean> => {
  const { rows } = await sql`
    select from pg_stat_activity
    where datname = current_database() and query = ${`listen "${notarizationChannel}"`}`.execute(
    deps.database.query,
  )
  return rows.length > 0
}

const isAnyBlocked = async (): Promise<boolean> => {
  const { rows } = await sql`
    select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(deps.database.query)
  return rows.length > 0
}

const lockTable = sql`lock table certificates in exclusive mode`
const lockRow = (id: string) => sql`select from certificates where id = ${id} for update`

/**
 * Stops the worker while its statement waits for the lock, and releases the lock when the worker has nothing else to
 * wait for. Returns which of both ended first.
 */
const stopWhileLocked = async (
  lock: RawBuilder<unknown>,
  begin: () => AsyncDisposable | Promise<AsyncDisposable>,
): Promise<string[]> => {
  const order: string[] = []
  const { stopped } = await mill.database.transaction(async (tx) => {
    await lock.execute(tx)
    const worker = await begin()
    await eventually(isListening)
    const stopping = Promise.resolve(worker[Symbol.asyncDispose]()).then(() => order.push('stopped'))
    await eventually(async () => !(await isListening()))
    await eventually(isAnyBlocked)
    order.push('unlocked')
    return { stopped: stopping }
  })
  await stopped
  return order
}

const isDue = async (id: string): Promise<boolean> =>
  ((await storedCertificate(deps, id)).nextAttemptAt?.getTime() ?? Infinity) <= deps.clock.now()

describe('a worker of notarizations that stops', () => {
  test('finishes what it has begun, and begins nothing more', async () => {
    const ids = await mill.acceptDue(2)
    const worker = startNotarizing(deps, times)
    await eventually(async () => (await mill.inState(ids, 'accepted')) === 0, { everyMs: 1 })
    await worker[Symbol.asyncDispose]()
    assert.equal(await mill.inState(ids, 'notarized'), 2)
    const later = await mill.acceptDue(1)
    assert.equal(await mill.inState(later, 'accepted'), 1)
    await mill.database.query.deleteFrom('certificates').where('id', 'in', later).execute()
  })

  test('finishes what the claim in progress returns', async () => {
    const [id = ''] = await mill.acceptDue(1)
    const order = await stopWhileLocked(lockTable, async () => {
      const worker = startNotarizing(deps, times)
      await eventually(isAnyBlocked)
      return worker
    })
    assert.deepEqual(order, ['unlocked', 'stopped'])
    assert.equal(await mill.inState([id], 'notarized'), 1)
  })

  test('waits until the retry of a failed attempt is scheduled', async () => {
    // Otherwise it is due already when the machine is slow.
    using _still = mill.server.clock.freeze()
    const [id = ''] = await mill.acceptDue(1)
    const { promise: page, reject: fail } = Promise.withResolvers<never>()
    const rendering = Promise.withResolvers<void>()
    const pdf: PdfRenderer = {
      ...deps.pdf,
      render: () => {
        rendering.resolve()
        return page
      },
    }
    const worker = startNotarizing({ ...deps, pdf }, times)
    await rendering.promise
    const order = await stopWhileLocked(lockRow(id), async () => {
      fail(new Error('The renderer is broken'))
      await eventually(isAnyBlocked)
      return worker
    })
    assert.deepEqual(order, ['unlocked', 'stopped'])
    assert.equal(await isDue(id), false)
    mill.server.clock.advance({ seconds: 30 })
    assert.equal(await isDue(id), true)
    await using _worker = startNotarizing(deps, times)
    await eventually(async () => (await mill.inState([id], 'notarized')) === 1)
  })

  test('waits for what it has begun only as long as it may, then as long for what it has aborted', async () => {
    const [slow = '', deaf = ''] = await mill.acceptDue(2)
    const slowHash = (await storedCertificate(deps, slow)).hash
    const pdf: PdfRenderer = {
      ...deps.pdf,
      render: (request, signal) =>
        request.hash === slowHash ? mill.stuck().render(request, signal) : new Promise(() => {}),
    }
    const stopMs = 300
    const worker = startNotarizing({ ...deps, pdf }, { ...times, stopMs })
    await eventually(async () => (await mill.inState([slow, deaf], 'running')) === 2)
    const startedAt = performance.now()
    await worker[Symbol.asyncDispose]()
    // A timer may be early by a millisecond.
    assert.ok(performance.now() - startedAt >= 2 * (stopMs - 1))
    for (const id of [slow, deaf]) assert.equal(await isDue(id), true)
    await using _worker = startNotarizing(deps, times)
    await eventually(async () => (await mill.inState([slow, deaf], 'notarized')) === 2)
  })

  test('waits until what it gives back can be claimed', async () => {
    const [id = ''] = await mill.acceptDue(1)
    const worker = startNotarizing({ ...deps, pdf: mill.stuck() }, { ...times, stopMs: 50 })
    await eventually(async () => (await mill.inState([id], 'running')) === 1)
    const order = await stopWhileLocked(lockRow(id), () => worker)
    assert.deepEqual(order, ['unlocked', 'stopped'])
    assert.equal(await isDue(id), true)
    await using _worker = startNotarizing(deps, times)
    await eventually(async () => (await mill.inState([id], 'notarized')) === 1)
  })

  test('logs that it could give nothing back without a database; the next worker has it when the lease ends', async () => {
    const [id = ''] = await mill.acceptDue(1)
    const own = openPostgres({
      connection: { connectionString: addressOf(mill.database) },
      applicationName: 'test',
      maxConnections: 2,
      connectTimeoutMs: generousMs,
      log: silentLog,
    })
    const worker = startNotarizing({ ...deps, database: own, pdf: mill.stuck() }, { ...times, stopMs: 50 })
    await eventually(async () => (await mill.inState([id], 'running')) === 1)
    await own[Symbol.asyncDispose]()
    await worker[Symbol.asyncDispose]()
    assert.ok(mill.log.some((line) => line.includes('notarizations were not released')))
    mill.server.clock.advance({ seconds: 31 })
    await using _worker = startNotarizing(deps, times)
    await eventually(async () => (await mill.inState([id], 'notarized')) === 1)
  })

  test('waits until it no longer listens', async () => {
    const order: string[] = []
    const closed = Promise.withResolvers<void>()
    const listen: Database['listen'] = (channel, onNews) => {
      const listening = deps.database.listen(channel, onNews)
      return {
        [Symbol.asyncDispose]: async () => {
          await listening[Symbol.asyncDispose]()
          await closed.promise
        },
      }
    }
    const worker = startNotarizing({ ...deps, database: { ...deps.database, listen } }, times)
    const stopped = Promise.resolve(worker[Symbol.asyncDispose]()).then(() => order.push('stopped'))
    // Another one has time to start and to stop.
    await startNotarizing(deps, times)[Symbol.asyncDispose]()
    order.push('closed')
    closed.resolve()
    await stopped
    assert.deepEqual(order, ['closed', 'stopped'])
    assert.equal(await isListening(), false)
  })
})
