import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import type { Client } from 'aedes'
import { sql } from 'kysely'
import { openTestDatabase } from '../../../../test/database.ts'
import { eventually } from '../../../../test/eventually.ts'
import { movableClock } from '../../../../test/movable-clock.ts'
import { createMessagePublisher } from './message-publisher.ts'
import { Outstanding } from './outstanding.ts'
import { openStore } from './open-broker.suite.ts'
import { newSession } from './sessions.ts'

const mostInFlight = 100
const owner = `company/${randomUUID()}`

describe('messages that are not in queues yet', () => {
  test('are deleted when all have acknowledged them, and go into queues otherwise, in their order', async () => {
    await using opened = await openOutstanding()
    const { outstanding, route, acknowledge, queue, stored } = opened
    const [first, second, third] = [await route(2), await route(1), await route(2)]
    await acknowledge(second, 0)
    await eventually(async () => (await stored()).length === 2, { what: 'the second is deleted' })
    await acknowledge(third, 0)
    await acknowledge(third, 1)
    await eventually(() => outstanding.ids.length === 1, { what: 'the third is deleted' })
    assert.deepEqual(await stored(), [{ id: first.id, position: null }])
    assert.deepEqual(await queue(), [], 'the first is still in flight')
    await acknowledge(first, 1)
    await outstanding.settle()
    assert.deepEqual(await queue(), [first.entries[0]])
    assert.deepEqual(await stored(), [{ id: first.id, position: first.position }])
    assert.equal(outstanding.acknowledge(first.entries[0]), false, 'it is acknowledged in the queue')
    assert.deepEqual(outstanding.ids, [])
  })

  test('wait with what their readers are away for, until nothing older is in flight', async () => {
    await using opened = await openOutstanding()
    const { route, acknowledge, queue } = opened
    const older = await route(1)
    const newer = await route(1, { areAway: true })
    const newest = await route(1)
    await acknowledge(newest, 0)
    assert.deepEqual(await queue(), [])
    await acknowledge(older, 0)
    await eventually(async () => (await queue()).length > 0, { what: 'the newer one is queued' })
    assert.deepEqual(await queue(), newer.entries)
  })

  test('go into queues by themselves if they are not acknowledged', async () => {
    await using opened = await openOutstanding({ patienceMs: 1 })
    const { route, queue } = opened
    const { entries } = await route(2)
    await eventually(async () => (await queue()).length === 2, { what: 'both copies are queued' })
    assert.deepEqual(await queue(), entries)
  })

  test('go into queues when there are too many', async () => {
    await using opened = await openOutstanding({ most: 2 })
    const { route, queue } = opened
    const routed = [await route(1), await route(1)]
    assert.deepEqual(await queue(), [])
    routed.push(await route(1))
    await eventually(async () => (await queue()).length === 3, { what: 'all are queued' })
    assert.deepEqual(
      await queue(),
      routed.flatMap(({ entries }) => entries),
    )
  })

  test('are written a few at a time, and until then they count and may be acknowledged', async () => {
    await using opened = await openOutstanding({ mostCopies: 2 })
    const { database, outstanding, route, acknowledge, queue, rooms } = opened
    const first = await route(2)
    const others: Routed[] = []
    for (let more = 0; more <= mostInFlight; more += 1) others.push(await route(1))
    const [second, ...unacknowledged] = others
    assert.ok(second !== undefined)
    const { settled } = await database.transaction(async (tx) => {
      await sql`lock table broker_queue in exclusive mode`.execute(tx)
      const settling = outstanding.settle()
      assert.equal(outstanding.acknowledge(first.entries[0]), false, 'the first is being written')
      await acknowledge(second, 0)
      assert.deepEqual(outstanding.busyOwners, [owner])
      assert.equal(rooms(), 0)
      return { settled: settling }
    })
    await settled
    assert.deepEqual(
      await queue(),
      [first, ...unacknowledged].flatMap(({ entries }) => entries),
    )
    assert.equal(rooms(), 1)
  })

  test('are enough for their owner while more than a hundred are in flight', async () => {
    await using opened = await openOutstanding()
    const { outstanding, route, acknowledge, rooms } = opened
    const first = await route(1)
    for (let more = 1; more < mostInFlight; more += 1) await route(1)
    assert.deepEqual(outstanding.busyOwners, [])
    await route(1)
    assert.deepEqual(outstanding.busyOwners, [owner])
    assert.equal(rooms(), 0)
    await acknowledge(first, 0)
    assert.deepEqual(outstanding.busyOwners, [])
    assert.equal(rooms(), 1)
    await route(1)
    await outstanding.settle()
    assert.equal(rooms(), 2, 'what is in a queue is not in flight')
    assert.deepEqual(outstanding.busyOwners, [])
  })
})

type Routed = {
  readonly id: string
  readonly position: number
  readonly entries: readonly [Entry, ...Entry[]]
}
type Entry = { readonly sessionId: number; readonly place: number }

const openOutstanding = async ({
  patienceMs = Number.POSITIVE_INFINITY,
  most = 1_000,
  mostCopies = 1_000,
} = {}) => {
  await using opening = new AsyncDisposableStack()
  const database = opening.use(await openTestDatabase())
  const { store } = opening.use(await openStore(database))
  const publisher = createMessagePublisher({ database, clock: movableClock() })
  let rooms = 0
  const outstanding = new Outstanding(
    {
      store,
      onQueued: () => Promise.resolve(),
      onRoom: () => (rooms += 1),
      onError: (error) => assert.fail(String(error)),
    },
    { patienceMs, most, mostCopies },
  )
  opening.defer(() => outstanding.settle())
  const sessions = await Promise.all(
    ['one', 'two'].map(async (clientId) => {
      const state = { ownerKind: 'company', ownerId: randomUUID(), clientId, hears: [] as string[] } as const
      const id = await store.saveSession({ ...state, disconnectedAt: null, sentUpTo: 0 })
      return Object.assign(newSession(state, { client, nowMs: 0 }), { id })
    }),
  )
  let position = 0

  /** Sends a new message to so many sessions. */
  const route = async (readers: number, { areAway = false } = {}): Promise<Routed> => {
    const id = randomUUID()
    await publisher.publish([{ messageId: id, topic: `${owner}/test`, payload: Buffer.from('text') }])
    position += 1
    const place = position * 2
    const copies = sessions
      .slice(0, readers)
      .map((session) => ({ session, entry: { sessionId: session.id, place } }))
    outstanding.add({ id, position, owner, copies })
    if (!areAway) for (const copy of copies) outstanding.sent(copy)
    outstanding.release(position)
    const [first, ...others] = copies.map(({ entry }) => entry)
    assert.ok(first !== undefined)
    return { id, position, entries: [first, ...others] }
  }
  const acknowledge = async ({ entries }: Routed, reader: number): Promise<void> => {
    const entry = entries[reader]
    assert.ok(entry !== undefined && outstanding.acknowledge(entry))
  }
  const queue = async () =>
    (
      await sql<Entry>`select session_id, place from broker_queue order by place, session_id`.execute(
        database.query,
      )
    ).rows
  const stored = async () =>
    (await sql`select id, position from broker_messages order by sequence`.execute(database.query)).rows
  const opened = opening.move()
  return {
    database,
    outstanding,
    route,
    acknowledge,
    queue,
    stored,
    rooms: () => rooms,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing of it is used
const client = {} as Client
