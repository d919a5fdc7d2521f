import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Client } from 'aedes'
import { limits } from '@millseal/contract'
import { sql } from 'kysely'
import { openTestDatabase } from '../../../../test/database.ts'
import { movableClock } from '../../../../test/movable-clock.ts'
import type { BrokerGrant } from '../../../ports/broker/broker.ts'
import { ConnectedClients } from './connected-clients.ts'
import { openStore } from './open-broker.suite.ts'
import { ownerKey, ownerOf, sessionKey, Sessions } from './sessions.ts'

type TestedClient = Client & { readonly wasClosed: () => boolean }

const connection = (clean = false): TestedClient => {
  let closed = false
  const close = (): void => {
    closed = true
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the only properties that are used
  return { clean, close, wasClosed: () => closed } as unknown as TestedClient
}

const grantTo = (company: string): BrokerGrant => {
  const grant: BrokerGrant = {
    owner: { kind: 'company', id: company },
    holder: 'application:one',
    untilMs: Number.POSITIVE_INFINITY,
    hears: [],
    recheck: async () => grant,
  }
  return grant
}

const openClients = async () => {
  const opening = new AsyncDisposableStack()
  const database = opening.use(await openTestDatabase())
  const { store } = opening.use(await openStore(database))
  const [clock, sessions] = [movableClock(), new Sessions()]
  const clients = new ConnectedClients({ store, sessions, clock })
  return { database, clock, sessions, clients, [Symbol.asyncDispose]: () => opening.disposeAsync() }
}

test('the session of a client that is just reconnecting is deleted neither by the limit of sessions nor by its expiry', async () => {
  await using opened = await openClients()
  const { clock, sessions, clients } = opened
  const grant = grantTo(randomUUID())
  const connectAndLeave = async (clientId: string) => {
    const connected = await clients.connect(connection(), grant, clientId)
    await clients.disconnect(connected)
    clock.advance({ seconds: 1 })
  }
  await connectAndLeave('first')
  clock.advance({ seconds: limits.brokerSessionSeconds - 2 })
  // Authenticated, but without a CONNACK yet.
  const { session } = await clients.connect(connection(), grant, 'first')
  for (let other = 0; other < limits.brokerSessionsAway; other += 1) await connectAndLeave(`other-${other}`)
  await clients.expire()
  assert.equal(sessions.find(sessionKey(ownerOf(grant), 'first')), session)
})

test('as many sessions of an owner are kept as were connected at once, also by the next broker', async () => {
  await using opened = await openClients()
  const { database, clock, sessions, clients } = opened
  const grant = grantTo(randomUUID())
  const ids = Array.from({ length: limits.brokerSessionsAway + 5 }, (_, number) => `device-${number}`)
  const connectAll = () => Promise.all(ids.map((id) => clients.connect(connection(), grant, id)))
  const leaveAll = async (connected: Awaited<ReturnType<typeof connectAll>>) => {
    for (const each of connected) await clients.disconnect(each)
  }
  const kept = async () => (await sql`select from broker_sessions`.execute(database.query)).rows.length
  await leaveAll(await connectAll())
  assert.equal(await kept(), ids.length, 'a token ends for all of them')
  await leaveAll(await connectAll())
  clock.advance({ seconds: 1 })
  await clients.disconnect(await clients.connect(connection(), grant, 'one-more'))
  assert.equal(await kept(), ids.length, 'one of those that left first is deleted')
  const next = new Sessions()
  next.restore([...sessions.all()])
  assert.deepEqual(next.excessOf(ownerKey(ownerOf(grant))), [])
})

for (const [kinds, clean] of [
  ['two that are kept', [false, false]],
  ['one that is kept and one that is not', [false, true]],
  ['one that is not kept and one that is', [true, false]],
] as const) {
  test(`clients that connect at once under one name have one session: ${kinds}`, async () => {
    await using opened = await openClients()
    const { database, sessions, clients } = opened
    const grant = grantTo(randomUUID())
    const connectBoth = async () => {
      const both = clean.map((each) => connection(each))
      const connected = await Promise.all(both.map((client) => clients.connect(client, grant, 'twin')))
      return { both, connected }
    }
    const { both, connected } = await connectBoth()
    assert.deepEqual([...sessions.of(ownerKey(ownerOf(grant)))], [connected[1]?.session])
    assert.deepEqual(
      both.map((client) => client.wasClosed()),
      [true, false],
      'the later one replaces the earlier one',
    )
    for (const each of connected) await clients.disconnect(each)
    const { rows } = await sql`select from broker_sessions`.execute(database.query)
    assert.equal(rows.length, clean[1] ? 0 : 1)
    assert.equal([...sessions.all()].length, rows.length)
  })
}
