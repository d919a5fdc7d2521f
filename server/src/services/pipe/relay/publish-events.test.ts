import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { pino } from 'pino'
import { createOutbox } from '../../../adapters/outbox/outbox-table.ts'
import { noTracer } from '../../../ports/tracer/tracer.ts'
import { type BrokerMessage, BrokerUnavailable } from '../../../ports/broker/broker.ts'
import { systemClock } from '../../../ports/clock/clock.ts'
import type { Database } from '../../../ports/database/database.ts'
import { openTestDatabase } from '../../../../test/database.ts'
import { movableClock } from '../../../../test/movable-clock.ts'
import { eventually } from '../../../../test/eventually.ts'
import type { PipeDependencies } from '../dependencies.ts'
import { isEventOnly, notifyQueued, outboxChannel, tryToLock } from '../events/outbox.store.ts'
import { createPublisher } from './publish-events.ts'

const outbox = createOutbox({ clock: systemClock, tracer: noTracer })
const write = (database: Database, companyId: string, count = 1, text = ''): Promise<void> =>
  database.transaction(async (tx) => {
    for (let n = 0; n < count; n += 1) {
      await outbox.write(tx, {
        resource: 'companies',
        action: 'update_one',
        owner: { kind: 'company', id: companyId },
        mode: 'live',
        payload: { n, text },
      })
    }
  })

const publisherOf = (
  database: Database,
  refuses: (message: BrokerMessage) => boolean = () => false,
  refusal = new Error('the broker does not want it'),
) => {
  const offered: BrokerMessage[] = []
  const clock = movableClock()
  const deps: Partial<PipeDependencies> = {
    database,
    clock,
    tracer: noTracer,
    log: pino({ level: 'silent' }),
  }
  const pass = createPublisher(deps as PipeDependencies, {
    publish: async (messages) => {
      offered.push(...messages)
      if (messages.some(refuses)) throw refusal
    },
  })
  return { offered, pass, clock }
}

const numbersIn = (messages: readonly BrokerMessage[]): number[] =>
  messages.map(({ payload }) => (JSON.parse(Buffer.from(payload).toString()) as { n: number }).n)

const unpublished = async ({ query }: Database): Promise<number> => {
  const rows = await query.selectFrom('outbox').select('id').where('publishedAt', 'is', null).execute()
  return rows.length
}

describe('a pass that publishes events', () => {
  test('publishes each event once, and asks for another pass only after a full batch', async () => {
    await using database = await openTestDatabase()
    const { offered, pass } = publisherOf(database)
    const owner = randomUUID()
    assert.equal(await pass(), false)
    await write(database, owner)
    assert.equal(await pass(), false)
    assert.equal(offered.length, 1)
    await write(database, owner, 201)
    assert.equal(await pass(), true)
    assert.equal(await unpublished(database), 1)
    assert.equal(await pass(), false)
    assert.equal(await unpublished(database), 0)
    assert.equal(new Set(offered.map(({ messageId }) => messageId)).size, 202)
    assert.equal(offered.length, 202)
  })

  test('asks for another pass after a batch that is full because its events are large', async () => {
    await using database = await openTestDatabase()
    const { offered, pass } = publisherOf(database)
    await write(database, randomUUID(), 3, 'x'.repeat(9 * 1_024 * 1_024))
    assert.equal(await pass(), true)
    assert.equal(offered.length, 2)
    assert.equal(await pass(), false)
    assert.equal(offered.length, 3)
  })

  test('gives each owner a turn: many events of one do not delay those of others', async () => {
    await using database = await openTestDatabase()
    const { offered, pass } = publisherOf(database)
    const [busy, ...quiet] = Array.from({ length: 250 }, () => randomUUID())
    await write(database, busy ?? '', 1_000)
    for (const owner of quiet) await write(database, owner)
    // At most 200 owners have their turn in one pass.
    assert.equal(await pass(), true)
    assert.equal(await pass(), true)
    const ownersOf = (messages: readonly BrokerMessage[]) =>
      new Set(messages.map(({ topic }) => topic.split('/')[1]))
    const published = ownersOf(offered)
    assert.deepEqual(
      quiet.filter((owner) => !published.has(owner)),
      [],
      'after two passes every owner had its turn',
    )
    while (await pass());
    assert.equal(await unpublished(database), 0)
    assert.deepEqual(
      numbersIn(offered.filter(({ topic }) => topic.includes(busy ?? ''))),
      Array.from({ length: 1_000 }, (_none, n) => n),
      'the events of one owner stay in order',
    )
  })

  test('leaves everything to the process that publishes at this moment', async () => {
    await using database = await openTestDatabase()
    const { offered, pass } = publisherOf(database)
    await write(database, randomUUID())
    await database.transaction(async (tx) => {
      assert.equal(await tryToLock(tx, 'publish'), true)
      assert.equal(await pass(), false)
    })
    assert.deepEqual(offered, [])
  })

  test('does not offer a refused event, or later ones of its owner, again at once', async () => {
    await using database = await openTestDatabase()
    const [stuck, well] = [randomUUID(), randomUUID()]
    const { offered, pass } = publisherOf(database, ({ topic }) => topic.includes(stuck))
    await write(database, stuck, 3)
    await write(database, well)
    assert.equal(await pass(), true, 'events are left')
    assert.equal(offered.filter(({ topic }) => topic.includes(stuck)).length, 3)
    await write(database, well)
    assert.equal(await pass(), false)
    assert.equal(offered.filter(({ topic }) => topic.includes(stuck)).length, 3)
    assert.equal(offered.filter(({ topic }) => topic.includes(well)).length, 2)
    assert.equal(await unpublished(database), 3)
  })

  test('offers all events again at once after the broker could not be reached', async () => {
    await using database = await openTestDatabase()
    let isAway = true
    const { offered, pass } = publisherOf(database, () => isAway, new BrokerUnavailable('it is starting'))
    await write(database, randomUUID(), 3)
    assert.equal(await pass(), false)
    assert.equal(offered.length, 3)
    isAway = false
    await pass()
    assert.equal(offered.length, 6)
    assert.equal(await unpublished(database), 0)
  })

  test('publishes the events before one that is always refused, and the others once it is taken', async () => {
    await using database = await openTestDatabase()
    const company = randomUUID()
    let isFull = true
    const { offered, pass, clock } = publisherOf(
      database,
      (message) => isFull && numbersIn([message])[0] === 20,
    )
    await write(database, company, 40)
    for (let tries = 0; tries < 20; tries += 1) {
      while (await pass());
      clock.advance({ seconds: 3 })
    }
    assert.equal(await unpublished(database), 20)
    offered.splice(0)
    isFull = false
    while (await pass());
    assert.equal(await unpublished(database), 0)
    assert.deepEqual(
      numbersIn(offered),
      Array.from({ length: 20 }, (_none, n) => n + 20),
    )
  })
})

test('the news of an event, and of a delivery that is due without one, can be told apart', async () => {
  await using database = await openTestDatabase()
  const heard: boolean[] = []
  await using _listening = database.listen(outboxChannel, (news) => {
    if (news !== undefined) heard.push(isEventOnly(news))
  })
  await eventually(async () => {
    await write(database, randomUUID())
    return heard.length > 0
  })
  assert.ok(heard.every((isEvent) => isEvent))
  await notifyQueued(database.query)
  await eventually(() => heard.includes(false))
})
