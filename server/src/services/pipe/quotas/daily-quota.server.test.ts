import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { EventRecord } from '@millseal/contract'
import { signUpOperator, verifyCompany } from '../../../../test/people.ts'
import { answer, type Receiver, startReceiver } from '../../../../test/receiver.ts'
import { outcomesOf, refusal } from '../../../../test/refusal.ts'
import type { TestServer } from '../../../../test/test-server.ts'
import {
  type Eventful,
  eventsOnce,
  newEventfulOwner,
  newHook,
  startWebhookServer,
} from '../../../../test/webhooks.ts'

const dayMs = 86_400_000

let server: TestServer
before(async () => {
  server = await startWebhookServer({
    environment: { MILLSEAL_DELIVERIES_PER_DAY: '4', MILLSEAL_UNVERIFIED_DELIVERIES_PER_DAY: '2' },
  })
})
after(() => server[Symbol.asyncDispose]())

const startDay = (): void => server.clock.advance({ seconds: (dayMs - (server.clock.now() % dayMs)) / 1_000 })
const tomorrow = (): string => new Date(Math.ceil(server.clock.now() / dayMs) * dayMs).toISOString()

/** A company with one webhook, on a new day. */
const openCompany = async (username: string, receiver: Receiver) => {
  startDay()
  const owner = await newEventfulOwner(server, username)
  const { id } = await newHook(server, owner, { connectionUrl: receiver.url })
  const call = { company: owner.company.id, params: { id } }
  const client = () => server.client(owner.admin.accessToken)
  return {
    owner,
    client,
    hook: id,
    call,
    events: (satisfied: (events: readonly EventRecord[]) => boolean) =>
      eventsOnce(server, owner, id, satisfied),
    retryAll: () => client().retryHook({ ...call, body: { since: new Date(0).toISOString() } }),
    tryOther: () =>
      client().tryHook({ company: owner.company.id, body: { connectionUrl: receiver.url, mode: 'test' } }),
  }
}

const isRefused = ({ deliveryError, attempts, nextAttemptAt }: EventRecord): boolean =>
  deliveryError?.includes('deliveries a day') === true &&
  attempts === undefined &&
  nextAttemptAt === undefined

const endsOf = (events: readonly EventRecord[]) =>
  events.map((event) => (event.delivered ? 'arrived' : isRefused(event) ? 'refused' : 'open'))

const named = (...names: readonly string[]) => names.map((name) => `Application ${name}`)

const produced = async (owner: Eventful, ...names: readonly string[]): Promise<void> =>
  owner.produce(...named(...names))

describe('the deliveries of a company and day', () => {
  test('are limited: those beyond are listed with the reason and can be sent by hand the next day', async () => {
    await using receiver = await startReceiver()
    const company = await openCompany('limited-sender', receiver)
    await produced(company.owner, 'one', 'two', 'three', 'four', 'five')
    const events = await company.events(
      (all) => all.length === 5 && all.filter((e) => e.delivered).length === 2,
    )
    assert.deepEqual(endsOf(events), ['arrived', 'arrived', 'refused', 'refused', 'refused'])
    const reason = `A company that is not verified can have 2 webhook deliveries a day (UTC): send it again from ${tomorrow()} on`
    assert.equal(events[2]?.deliveryError, reason)
    const one = { company: company.owner.company.id, params: { id: events[2]?.id ?? '' } }
    const calls = {
      'this event': () => company.client().retryEvent(one),
      'all events': company.retryAll,
      'a test event': () => company.client().testHook(company.call),
      'a receiver that is not saved': company.tryOther,
    }
    for (const [what, call] of Object.entries(calls)) {
      const refused = await refusal(call())
      assert.deepEqual([refused.status, refused.code], [403, 'delivery_limit_reached'], what)
      assert.deepEqual(refused.answer?.details, [reason], what)
    }
    startDay()
    await company.owner.signInAgain()
    await company.client().retryEvent({ ...one, params: { id: events[4]?.id ?? '' } })
    await company.events((all) => all.filter((e) => e.delivered).length === 3)
    assert.deepEqual(await company.retryAll(), { count: 1, refused: 1 })
    const later = await company.events((all) => all.filter((e) => e.delivered).length === 4)
    assert.deepEqual(endsOf(later), ['arrived', 'arrived', 'arrived', 'refused', 'arrived'])
    assert.equal(receiver.received.length, 4)
  })

  test('do not include automatic attempts', async () => {
    await using receiver = await startReceiver({ reaction: answer(500) })
    const company = await openCompany('retried-sender', receiver)
    await produced(company.owner, 'one')
    await receiver.until(1)
    for (const count of [2, 3]) {
      await company.events(
        ([event]) => event?.nextAttemptAt !== undefined && event.deliveryError !== undefined,
      )
      server.clock.advance({ seconds: 400 })
      await receiver.until(count)
    }
    receiver.react(answer(200))
    await company.owner.signInAgain()
    await company.client().testHook(company.call)
    assert.equal((await refusal(company.tryOther())).code, 'delivery_limit_reached')
  })

  test('are more for a verified company, and not exceeded by concurrent calls', async () => {
    await using receiver = await startReceiver()
    const company = await openCompany('verified-sender', receiver)
    await verifyCompany(server, await signUpOperator(server), company.owner.company.id)
    const outcomes = await outcomesOf(Array.from({ length: 9 }, () => company.tryOther()))
    assert.deepEqual(outcomes, { ok: 4, delivery_limit_reached: 5 })
  })
})
