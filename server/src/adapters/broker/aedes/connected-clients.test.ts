import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Client } from 'aedes'
import { limits } from '@millseal/contract'
import { openTestDatabase } from '../../../../test/database.ts'
import { movableClock } from '../../../../test/movable-clock.ts'
import type { BrokerGrant } from '../../../ports/broker/broker.ts'
import { ConnectedClients } from './connected-clients.ts'
import { acquireLease } from './lease.ts'
import { SessionStore } from './session-store.ts'
import { ownerOf, sessionKey, Sessions } from './sessions.ts'

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the only property that is used
const connection = (): Client => ({ clean: false }) as Client

test('the session of a client that is just reconnecting is deleted neither by the limit of sessions nor by its expiry', async () => {
  await using database = await openTestDatabase()
  const lost = (error: Error): never => assert.fail(error)
  const lease = await acquireLease({
    connection: database.connection,
    onNotification: () => {},
    onLost: lost,
  })
  assert.ok(lease !== undefined)
  await using _lease = { [Symbol.asyncDispose]: () => lease.release() }
  const clock = movableClock()
  const sessions = new Sessions()
  const clients = new ConnectedClients({ store: new SessionStore(lease.query), sessions, clock })
  const grant: BrokerGrant = {
    owner: { kind: 'company', id: randomUUID() },
    holder: 'application:one',
    untilMs: Number.POSITIVE_INFINITY,
    hears: [],
    recheck: async () => grant,
  }
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
