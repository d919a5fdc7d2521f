import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Client } from 'aedes'
import { limits } from '@millseal/contract'
import { openTestDatabase } from '../../../../test/database.ts'
import { movableClock } from '../../../../test/movable-clock.ts'
import type { BrokerGuest } from '../../../ports/broker/broker.ts'
import { GuestBook } from './guest-book.ts'
import { becomeLeader } from './leadership.ts'
import { SessionStore } from './session-store.ts'
import { sessionKey, Sessions } from './sessions.ts'

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- all that a guest book asks of a connection
const connection = (): Client => ({ clean: false }) as Client

test('a client that is just coming back is not away: neither others that leave nor time end its session', async () => {
  await using database = await openTestDatabase()
  const lost = (error: Error): never => assert.fail(error)
  const leadership = await becomeLeader({
    connection: database.connection,
    onNews: () => {},
    onLost: lost,
  })
  assert.ok(leadership !== undefined)
  await using _leadership = { [Symbol.asyncDispose]: () => leadership.end() }
  const clock = movableClock()
  const sessions = new Sessions()
  const book = new GuestBook({ store: new SessionStore(leadership.run), sessions, clock })
  const guest: BrokerGuest = {
    owner: { kind: 'company', id: randomUUID() },
    holder: 'application:one',
    untilMs: Number.POSITIVE_INFINITY,
    hears: [],
    again: async () => guest,
  }
  const visit = async (clientId: string) => {
    const presence = await book.enter(connection(), guest, clientId)
    await book.leave(presence)
    clock.advance({ seconds: 1 })
  }
  await visit('first')
  clock.advance({ seconds: limits.brokerSessionSeconds - 2 })
  // Let in, and not yet told so.
  const { session } = await book.enter(connection(), guest, 'first')
  for (let other = 0; other < limits.brokerSessionsAway; other += 1) await visit(`other-${other}`)
  await book.sweep()
  assert.equal(sessions.find(sessionKey(guest.owner, 'first')), session)
})
