import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { openTestDatabase } from '../../../../test/database.ts'
import { eventually } from '../../../../test/eventually.ts'
import { addHook, startRelay } from '../../../../test/relay.ts'
import { systemClock } from '../../../ports/clock/clock.ts'
import { type Database, type Transaction } from '../../../ports/database/database.ts'
import { createOutbox } from '../../../adapters/outbox/outbox-table.ts'
import { noTracer } from '../../../ports/tracer/tracer.ts'
import type { PipeDependencies } from '../dependencies.ts'
import { createDispatcher } from './dispatch-events.ts'
import { tryToLock } from '../events/outbox.store.ts'

const outbox = createOutbox({ clock: systemClock, tracer: noTracer })
const write = (tx: Transaction, companyId: string): Promise<string> =>
  outbox.write(tx, {
    resource: 'companies',
    action: 'update_one',
    owner: { kind: 'company', id: companyId },
    mode: 'live',
    payload: {},
  })

/** Nothing listens at this port: the records stay, which is all that these tests look at. */
const listen = (database: Database, companyId: string): Promise<void> =>
  addHook(database, { companyId, connectionUrl: 'http://127.0.0.1:9/', ordered: false })

const eventsOf = async ({ query }: Database, companyId: string): Promise<string[]> => {
  const rows = await query
    .selectFrom('hookEvents')
    .select('eventId')
    .where('companyId', '=', companyId)
    .execute()
  return rows.map(({ eventId }) => eventId)
}

const hasEnded = async ({ query }: Database, companyId: string): Promise<boolean> => {
  const { endedAt } = await query
    .selectFrom('hooks')
    .select('endedAt')
    .where('companyId', '=', companyId)
    .executeTakeFirstOrThrow()
  return endedAt !== null
}

const allDispatched = async ({ query }: Database): Promise<boolean> => {
  const left = await query.selectFrom('outbox').select('id').where('dispatchedAt', 'is', null).execute()
  return left.length === 0
}

describe('dispatching the events of a deleted company', () => {
  test('ends its webhooks after the last event, whatever that is, and those of no other company', async () => {
    await using database = await openTestDatabase()
    const [deleted, existing] = [randomUUID(), randomUUID()]
    await listen(database, deleted)
    await listen(database, existing)
    const last = await database.transaction((tx) => write(tx, deleted))
    const other = await database.transaction((tx) => write(tx, existing))
    await using _relay = startRelay(database, { deletedCompanies: new Set([deleted]) })
    await eventually(() => allDispatched(database))
    assert.deepEqual(await eventsOf(database, deleted), [last])
    assert.deepEqual(await eventsOf(database, existing), [other])
    assert.equal(await hasEnded(database, deleted), true)
    assert.equal(await hasEnded(database, existing), false)

    await database.transaction((tx) => write(tx, deleted))
    const next = await database.transaction((tx) => write(tx, existing))
    await eventually(() => allDispatched(database))
    assert.deepEqual(await eventsOf(database, deleted), [last], 'nothing is added to an ended webhook')
    assert.deepEqual((await eventsOf(database, existing)).toSorted(), [other, next].toSorted())
  })

  test('records events for them as long as a batch leaves some behind', async () => {
    await using database = await openTestDatabase()
    const company = randomUUID()
    await listen(database, company)
    const ids = await database.transaction(async (tx) => {
      const written: string[] = []
      // More than one batch.
      for (let n = 0; n < 501; n += 1) written.push(await write(tx, company))
      return written
    })
    await using _relay = startRelay(database, { deletedCompanies: new Set([company]) })
    await eventually(() => allDispatched(database))
    assert.deepEqual((await eventsOf(database, company)).toSorted(), ids.toSorted())
    assert.equal(await hasEnded(database, company), true)
  })

  test('keeps webhooks of existing companies, and their events in one record each', async () => {
    await using database = await openTestDatabase()
    const company = randomUUID()
    await listen(database, company)
    const event = await database.transaction((tx) => write(tx, company))
    await using _one = startRelay(database)
    await using _two = startRelay(database)
    await eventually(() => allDispatched(database))
    assert.deepEqual(await eventsOf(database, company), [event])
    assert.equal(await hasEnded(database, company), false)
  })
})

describe('a pass that dispatches events', () => {
  const dispatcherOf = (database: Database) => {
    const woken: string[] = []
    const users: Partial<PipeDependencies['users']> = {
      findCompaniesById: async (_query, ids) => ids.map((id) => ({ id, name: '', vatId: '' })),
      takeOfDay: async () => new Map(),
    }
    const deps: Partial<PipeDependencies> = {
      tracer: noTracer,
      database,
      clock: systemClock,
      users: users as PipeDependencies['users'],
      deliveriesPerDay: { verified: Infinity, unverified: Infinity },
    }
    const pass = createDispatcher(deps as PipeDependencies, {
      onRecords: () => woken.push('records'),
      onOrders: () => woken.push('orders'),
    })
    return { pass, woken }
  }
  const dispatch = async (database: Database) => {
    const { pass, woken } = dispatcherOf(database)
    const mayHaveMore = await pass()
    return { mayHaveMore, woken }
  }

  const listenByMail = async ({ query }: Database, companyId: string): Promise<void> => {
    const now = new Date()
    await query
      .insertInto('mailHooks')
      .values({
        id: randomUUID(),
        companyId,
        status: 'enabled',
        mode: 'all',
        scopes: '[]',
        listens: ['live/companies/update_one'],
        createdAt: now,
        updatedAt: now,
      })
      .execute()
  }

  test('wakes the deliveries and the mails if it has something for them, and only then', async () => {
    await using database = await openTestDatabase()
    const [unheard, byHook, byMail] = [randomUUID(), randomUUID(), randomUUID()]
    await listen(database, byHook)
    await listenByMail(database, byMail)
    assert.deepEqual(await dispatch(database), { mayHaveMore: false, woken: [] })
    for (const [company, woken] of [
      [unheard, []],
      [byHook, ['records']],
      [byMail, ['orders']],
    ] as const) {
      await database.transaction((tx) => write(tx, company))
      assert.deepEqual(await dispatch(database), { mayHaveMore: false, woken })
    }
  })

  test('asks for another pass only after a full batch', async () => {
    await using database = await openTestDatabase()
    await database.transaction(async (tx) => {
      for (let n = 0; n < 501; n += 1) await write(tx, randomUUID())
    })
    assert.equal((await dispatch(database)).mayHaveMore, true)
    assert.equal(await allDispatched(database), false)
    assert.equal((await dispatch(database)).mayHaveMore, false)
    assert.equal(await allDispatched(database), true)
  })

  test('asks for another pass after one that left out the owners before it', async () => {
    await using database = await openTestDatabase()
    const { pass } = dispatcherOf(database)
    await database.transaction(async (tx) => {
      for (let n = 0; n < 501; n += 1) await write(tx, randomUUID())
    })
    assert.deepEqual([await pass(), await pass(), await pass()], [true, true, false])
    assert.equal(await allDispatched(database), true)
  })

  test('gives each owner a turn: many events of one do not delay those of others', async () => {
    await using database = await openTestDatabase()
    const [busy, quiet] = [randomUUID(), randomUUID()]
    await listen(database, quiet)
    await database.transaction(async (tx) => {
      for (let n = 0; n < 1_200; n += 1) await write(tx, busy)
    })
    const event = await database.transaction((tx) => write(tx, quiet))
    assert.equal((await dispatch(database)).mayHaveMore, true)
    assert.deepEqual(
      await eventsOf(database, quiet),
      [event],
      'in the first pass, though it was written last',
    )
    while ((await dispatch(database)).mayHaveMore);
    assert.equal(await allDispatched(database), true)
  })

  test('leaves everything to the process that dispatches at this moment', async () => {
    await using database = await openTestDatabase()
    await database.transaction((tx) => write(tx, randomUUID()))
    await database.transaction(async (tx) => {
      assert.equal(await tryToLock(tx, 'dispatch'), true)
      assert.deepEqual(await dispatch(database), { mayHaveMore: false, woken: [] })
    })
    assert.equal(await allDispatched(database), false)
  })
})
