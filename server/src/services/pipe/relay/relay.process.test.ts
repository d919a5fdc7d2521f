import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { bundled } from '../../../../test/bundled.ts'
import { openTestDatabase } from '../../../../test/database.ts'
import { eventually } from '../../../../test/eventually.ts'
import { answer, type Received, startReceiver } from '../../../../test/receiver.ts'
import type { BrokerMessage, BrokerPublisher } from '../../../ports/broker/broker.ts'
import type { Database } from '../../../ports/database/database.ts'
import { eraseEventsBefore } from '../events/event-records.store.ts'
import { addHook, startRelay, writeEvent } from '../../../../test/relay.ts'
import { relayProcess, relayProgram } from '../../../../test/killed-relay.ts'

const numberIn = (body: Uint8Array): number => (JSON.parse(Buffer.from(body).toString()) as { n: number }).n

/** A broker that stores the messages; `before` runs first. */
const recorder = (before: (message: BrokerMessage) => Promise<void> | void = () => {}) => {
  const published: BrokerMessage[] = []
  const broker: BrokerPublisher = {
    async publish(messages) {
      for (const message of messages) {
        await before(message)
        published.push(message)
      }
    },
  }
  return { published, broker }
}

describe('the relay', () => {
  test('publishes an event under its topic and its id, with the bytes of the outbox', async () => {
    await using database = await openTestDatabase()
    const { published, broker } = recorder()
    await using _relay = startRelay(database, { broker })
    const company = randomUUID()
    const messageId = await database.transaction((tx) => writeEvent(tx, company, 7))
    await eventually(() => published.length === 1)
    const [message] = published
    assert.deepEqual(
      { ...message, payload: Buffer.from(message?.payload ?? []).toString() },
      { topic: `company/${company}/live/companies/update_one`, messageId, payload: '{"n":7}' },
    )
  })

  test('does not skip an event that commits after later events', async () => {
    await using database = await openTestDatabase()
    await using receiver = await startReceiver()
    const company = randomUUID()
    await addHook(database, { companyId: company, connectionUrl: receiver.url, ordered: true })
    const { published, broker } = recorder()
    await using _relay = startRelay(database, { broker })
    await database.transaction(async (late) => {
      await writeEvent(late, company, 1)
      await database.transaction((tx) => writeEvent(tx, company, 2))
      await receiver.until(1)
      await eventually(() => published.length === 1)
    })
    await receiver.until(2)
    await eventually(() => published.length === 2)
    assert.deepEqual(
      receiver.received.map(({ body }) => numberIn(body)),
      [2, 1],
    )
    assert.deepEqual(
      published.map(({ payload }) => numberIn(payload)),
      [2, 1],
    )
  })

  test('keeps the order of each owner with three processes; a stuck event delays no other owner', async () => {
    await using database = await openTestDatabase({ maxConnections: 20 })
    const [stuck, ...well] = Array.from({ length: 5 }, () => randomUUID())
    let refusals = 0
    const { published, broker } = recorder(async ({ topic, payload }) => {
      if (!topic.includes(stuck ?? '') || numberIn(payload) !== 3) return
      if (well.some((id) => published.filter((one) => one.topic.includes(id)).length < 20)) {
        refusals += 1
        throw new Error('the broker does not want it yet')
      }
    })
    await using _one = startRelay(database, { broker })
    await using _two = startRelay(database, { broker })
    await using _three = startRelay(database, { broker })
    for (let n = 0; n < 20; n += 1) {
      await Promise.all(
        [stuck ?? '', ...well].map((id) => database.transaction((tx) => writeEvent(tx, id, n))),
      )
    }
    await eventually(() => new Set(published.map(({ messageId }) => messageId)).size >= 100)
    const all = Array.from({ length: 20 }, (_, n) => n)
    const numbersOf = (id: string) =>
      published.filter(({ topic }) => topic.includes(id)).map(({ payload }) => numberIn(payload))
    for (const id of well) assert.deepEqual(numbersOf(id), all)
    // What was published together with the refused event is published again, under its id.
    assert.deepEqual([...new Set(numbersOf(stuck ?? ''))], all)
    assert.equal(new Set(published.map(({ messageId }) => messageId)).size, 100)
    assert.ok(refusals > 0)
  })

  test('continues after an outage of the database, with nothing lost', async () => {
    await using database = await openTestDatabase()
    const { published, broker } = recorder()
    await using _relay = startRelay(database, { broker })
    const company = randomUUID()
    await database.transaction((tx) => writeEvent(tx, company, 1))
    await eventually(() => published.length === 1)
    await cutConnections(database)
    await database
      .transaction((tx) => writeEvent(tx, company, 2))
      .catch(() => database.transaction((tx) => writeEvent(tx, company, 2)))
    await eventually(() => published.some(({ payload }) => numberIn(payload) === 2))
  })
})

test('events are deleted after a month with their records and attempts, unless they are still to be sent', async () => {
  await using database = await openTestDatabase()
  await using receiver = await startReceiver()
  const company = randomUUID()
  await addHook(database, { companyId: company, connectionUrl: receiver.url, ordered: false })
  const { published, broker } = recorder()
  await using relay = startRelay(database, { broker })
  await database.transaction((tx) => writeEvent(tx, company, 1))
  await eventually(async () => (await count(database, 'hook_attempts')) === 1 && published.length === 1)
  await eventually(
    async () => (await count(database, 'outbox')) === (await count(database, 'outbox', sql`published_at`)),
  )
  await relay[Symbol.asyncDispose]()
  await database.transaction((tx) => writeEvent(tx, company, 2))
  await eraseEventsBefore(database.query, new Date(Date.now() + 1_000))
  assert.deepEqual(
    await Promise.all(
      (['outbox', 'hook_events', 'hook_attempts', 'hook_deliveries'] as const).map((table) =>
        count(database, table),
      ),
    ),
    [1, 0, 0, 0],
  )
})

test('20 times killed while 15 % of attempts fail: every event arrives, under its id, in order if the webhook is ordered', async () => {
  await using database = await openTestDatabase()
  const events = 120
  const company = randomUUID()
  const relay = relayProcess(database, await bundled(relayProgram))
  await using _stopped = relay
  const arrived = new Map<string, string[]>([
    ['/ordered', []],
    ['/any', []],
  ])
  const asked = new Map<string, number[]>([
    ['/ordered', []],
    ['/any', []],
  ])
  let kills = 0
  let seed = 20_260_203
  const random = (): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return seed / 2_147_483_648
  }
  await using receiver = await startReceiver({
    reaction: (given) => {
      const { path, body, headers } = given.request
      asked.get(path)?.push(numberIn(body))
      if (given.nth % 10 === 0 && kills < 20) {
        kills += 1
        relay.replace()
        // The process is killed after it sent the request and before it recorded the result.
      }
      if (random() < 0.15) return answer(500)(given)
      arrived.get(path)?.push(String(headers['webhook-id']))
      return answer(200)(given)
    },
  })
  const origin = new URL(receiver.url).origin
  await addHook(database, { companyId: company, connectionUrl: `${origin}/ordered`, ordered: true })
  await addHook(database, { companyId: company, connectionUrl: `${origin}/any`, ordered: false })
  const ids: string[] = []
  for (let n = 0; n < events; n += 1) ids.push(await database.transaction((tx) => writeEvent(tx, company, n)))
  relay.replace()
  await eventually(
    async () =>
      (await count(database, 'hook_events')) === 2 * events &&
      (await count(database, 'hook_deliveries')) === 0,
  )
  assert.equal(kills, 20)
  assert.equal(await count(database, 'hook_events', sql`nullif(delivered, false)`), 2 * events)
  for (const path of ['/ordered', '/any']) {
    assert.deepEqual(new Set(arrived.get(path)), new Set(ids), path)
  }
  const inOrder = asked.get('/ordered') ?? []
  assert.deepEqual(
    inOrder,
    inOrder.toSorted((a, b) => a - b),
  )
  const repeated = receiver.received.length - 2 * events
  assert.ok(repeated > 0 && isSameBytes(receiver.received))
})

/** Whether all attempts of each event have the same bytes. */
const isSameBytes = (received: readonly Received[]): boolean =>
  [...Map.groupBy(received, ({ headers }) => String(headers['webhook-id'])).values()].every(
    (same) => new Set(same.map(({ body }) => body.toString())).size === 1,
  )

type Table = 'outbox' | 'hook_events' | 'hook_attempts' | 'hook_deliveries'

const count = async ({ query }: Database, table: Table, counted = sql`*`): Promise<number> => {
  const { rows } = await sql<{
    n: number
  }>`select count(${counted})::int as n from ${sql.table(table)}`.execute(query)
  return rows[0]?.n ?? 0
}

const cutConnections = async ({ query }: Database): Promise<void> => {
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`.execute(query)
}
