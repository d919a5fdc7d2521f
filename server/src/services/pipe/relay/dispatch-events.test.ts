import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { openTestDatabase } from '../../../../test/database.ts'
import { eventually } from '../../../../test/eventually.ts'
import { addHook, startRelay } from '../../../../test/relay.ts'
import { systemClock } from '../../../ports/clock/clock.ts'
import { type Database, type Transaction } from '../../../ports/database/database.ts'
import { createOutbox } from '../../../adapters/outbox/outbox-table.ts'

const outbox = createOutbox({ clock: systemClock })
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
