import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { verifyWebhook } from '@millseal/sdk'
import type { TestServer } from '../../../../test/test-server.ts'
import { answer, type Reaction, type Receiver, startReceiver } from '../../../../test/receiver.ts'
import { auditOf, eventsAbout } from '../../../../test/traces.ts'
import {
  type Eventful,
  eventsOnce,
  newEventfulOwner,
  newHook,
  startWebhookServer,
} from '../../../../test/webhooks.ts'
import { assertRefused } from '../../../../test/refusal.ts'
import { retryDelaysMs } from './schedule.ts'

let server: TestServer
before(async () => {
  server = await startWebhookServer()
})
after(() => server[Symbol.asyncDispose]())

const as = ({ admin }: Pick<Eventful, 'admin'>) => server.client(admin.accessToken)
const one = (owner: Eventful, id: string) => ({ params: { id }, company: owner.company.id })

/** Moves the clock past the next attempt: the pause, a tenth of jitter, and a second. */
const pass = (ms: number): void => server.clock.advance({ seconds: (ms * 1.1) / 1_000 + 1 })

/** Waits until every attempt is recorded before the clock moves on. */
const through = async (owner: Eventful, hookId: string, receiver: Receiver, from: number): Promise<void> => {
  for (const [index, delay] of retryDelaysMs.entries()) {
    if (index < from - 1) continue
    pass(delay)
    await receiver.until(index + 2)
    await owner.signInAgain()
    const [event] = await as(owner).listEvents({ company: owner.company.id, query: { hook: hookId } })
    const { id = '' } = event ?? {}
    await eventsOnce(server, owner, hookId, () => true)
    await untilAttempts(owner, id, index + 2)
  }
}

const untilAttempts = async (owner: Eventful, id: string, count: number): Promise<void> => {
  for (let round = 0; round < 500; round += 1) {
    const { attempts = [] } = await as(owner).readEvent(one(owner, id))
    if (attempts.length >= count) return
  }
  throw new Error('The attempt was not recorded')
}

describe('a receiver that fails', () => {
  test('gets ten attempts with the same id and each time a new time; then the event waits for a retry by hand', async () => {
    await using receiver = await startReceiver({ reaction: answer(500) })
    const owner = await newEventfulOwner(server, 'patient')
    const { id, secret } = await newHook(server, owner, { connectionUrl: receiver.url })
    await owner.produce('kept')
    await receiver.until(1)
    const [event] = await eventsOnce(server, owner, id, (found) => found[0]?.deliveryError !== undefined)
    const key = one(owner, event?.id ?? '')
    await through(owner, id, receiver, 1)
    const given = await as(owner).readEvent(key)
    assert.deepEqual([given.delivered, given.nextAttemptAt, given.attempts?.length], [false, undefined, 10])
    const headers = receiver.received.map((request) => request.headers)
    assert.equal(new Set(headers.map((one_) => one_['webhook-id'])).size, 1)
    assert.equal(new Set(headers.map((one_) => one_['webhook-timestamp'])).size, 10)
    const times = (given.attempts ?? []).map(({ startedAt }) => Date.parse(startedAt))
    for (const [index, delay] of retryDelaysMs.entries())
      assert.ok((times[index + 1] ?? 0) - (times[index] ?? 0) >= delay, `attempt ${index + 2}`)
    server.clock.advance({ days: 20 })
    await owner.signInAgain()
    receiver.react(answer(200))
    await as(owner).retryEvent(key)
    await eventsOnce(server, owner, id, (found) => found[0]?.delivered === true)
    const last = receiver.received.at(-1)
    const digest = createHmac('sha256', secret)
      .update(last?.body ?? '')
      .digest('hex')
    assert.equal(last?.headers['signature'], `t=${last?.headers['webhook-timestamp']},h=${digest}`)
  })

  test('gets the next attempt at once after the clock jumped 200 days ahead, and after it was set back', async () => {
    await using receiver = await startReceiver({ reaction: answer(500) })
    const owner = await newEventfulOwner(server, 'jumpy')
    const { id } = await newHook(server, owner, { connectionUrl: receiver.url })
    await owner.produce('x')
    await receiver.until(1)
    const [event] = await eventsOnce(server, owner, id, (found) => found[0]?.deliveryError !== undefined)
    server.clock.jump({ days: 200 })
    await receiver.until(2)
    await owner.signInAgain()
    await untilAttempts(owner, event?.id ?? '', 2)
    receiver.react(answer(200))
    server.clock.jump({ days: -200 })
    await receiver.until(3)
    await owner.signInAgain()
    await eventsOnce(server, owner, id, (found) => found[0]?.delivered === true)
  })

  test('gets the time that it requests', async () => {
    await using receiver = await startReceiver({ reaction: answer(429, { 'retry-after': '3600' }) })
    const owner = await newEventfulOwner(server, 'polite')
    const { id } = await newHook(server, owner, { connectionUrl: receiver.url })
    await owner.produce('x')
    const [event] = await eventsOnce(
      server,
      owner,
      id,
      (found) => found[0]?.nextAttemptAt !== undefined && found[0].deliveryError !== undefined,
    )
    const pause = Date.parse(event?.nextAttemptAt ?? '') - Date.parse(event?.updatedAt ?? '')
    assert.ok(pause >= 3_590_000 && pause <= 3_970_000, String(pause))
    await as(owner).deleteHook(one(owner, id))
  })

  test('that answers 410 is disabled at once, with a mail, an event and an entry in the audit log', async () => {
    await using receiver = await startReceiver({ reaction: answer(410) })
    const owner = await newEventfulOwner(server, 'goner')
    const { id } = await newHook(server, owner, { name: 'Old ERP', connectionUrl: receiver.url })
    await owner.produce('unwanted')
    const [mail = ''] = await server.mailsTo(owner.admin.email, 1, /Webhook wurde ausgeschaltet/)
    assert.match(mail, /Old ERP/)
    const { status } = await as(owner).readHook(one(owner, id))
    assert.equal(status, 'disabled')
    const told = (await eventsAbout(server, id)).at(-1)
    assert.equal(told?.topic, `company/${owner.company.id}/test/hooks/update_one`)
    const entry = (await auditOf(server, owner.company.id)).at(-1)
    assert.deepEqual([entry?.actor, entry?.action], ['service', 'hooks.disable'])
    const [event] = await as(owner).listEvents({ company: owner.company.id, query: { hook: id } })
    await assertRefused(as(owner).retryEvent(one(owner, event?.id ?? '')), 'hook_disabled')
    receiver.react(answer(200))
    await as(owner).updateHook({ ...one(owner, id), body: { status: 'enabled' } })
    await as(owner).retryEvent(one(owner, event?.id ?? ''))
    await eventsOnce(server, owner, id, (found) => found.every(({ delivered }) => delivered))
  })

  test('for a day causes one mail, and is after five days disabled; its events are kept and arrive later', async () => {
    await using receiver = await startReceiver({ reaction: answer(500) })
    const owner = await newEventfulOwner(server, 'absent')
    const { id } = await newHook(server, owner, { connectionUrl: receiver.url })
    for (const day of [0, 1, 2, 3, 4]) {
      await owner.produce(`day ${day}`)
      await eventsOnce(
        server,
        owner,
        id,
        (found) =>
          found.length === day + 1 && found.every(({ deliveryError }) => deliveryError !== undefined),
      )
      server.clock.advance({ days: 1, seconds: 60 })
      await owner.signInAgain()
    }
    await server.mailsTo(owner.admin.email, 1, /Webhook wurde ausgeschaltet/)
    const warnings = await server.mailsTo(owner.admin.email, 1, /Webhook ist nicht erreichbar/)
    assert.equal(warnings.length, 1)
    assert.equal((await as(owner).readHook(one(owner, id))).status, 'disabled')
    receiver.react(answer(200))
    await as(owner).updateHook({ ...one(owner, id), body: { status: 'enabled' } })
    server.clock.advance({ days: 1 })
    await owner.signInAgain()
    const events = await eventsOnce(server, owner, id, (found) => found.length === 5)
    for (const event of events.filter(
      ({ delivered, nextAttemptAt }) => !delivered && nextAttemptAt === undefined,
    ))
      await as(owner).retryEvent(one(owner, event.id))
    await eventsOnce(server, owner, id, (found) => found.every(({ delivered }) => delivered))
  })
})

describe('a secret that is rotated', () => {
  const verifies =
    (secret: string): Reaction =>
    (given) => {
      const { headers, body } = given.request
      const digest = createHmac('sha256', secret).update(body).digest('hex')
      answer(String(headers['signature']).endsWith(`h=${digest}`) ? 200 : 401)(given)
    }

  test('stays valid for a day: those who know either secret accept, by either header; then only the new one counts', async () => {
    await using receiver = await startReceiver()
    const owner = await newEventfulOwner(server, 'rotator')
    const created = await newHook(server, owner, { connectionUrl: receiver.url })
    const rotated = await as(owner).rotateHookSecret(one(owner, created.id))
    assert.notEqual(rotated.secret, created.secret)
    // A client that sends the whole webhook again does not rotate it again.
    const again = { name: 'as before', secret: rotated.secret }
    await as(owner).updateHook({ ...one(owner, created.id), body: again })
    for (const [index, secret] of [rotated.secret, created.secret].entries()) {
      receiver.react(verifies(secret))
      await owner.produce('either')
      await eventsOnce(
        server,
        owner,
        created.id,
        (found) => found.filter(({ delivered }) => delivered).length === index + 1,
      )
      const { headers, body } = receiver.received.at(-1) ?? assert.fail('nothing came')
      assert.match(String(headers['webhook-signature']), /^v1,\S+ v1,\S+$/)
      assert.match(String(headers['signature']), /^t=\d+,h=[0-9a-f]{64}$/)
      for (const scheme of ['standard', 'signature'] as const)
        assert.ok(await verifyWebhook({ secret, headers, body, scheme, now: server.clock.now() }))
    }
    assert.equal(receiver.received.length, 3)
    server.clock.advance({ days: 1, seconds: 1 })
    await owner.signInAgain()
    await owner.produce('late')
    await eventsOnce(server, owner, created.id, (found) =>
      found.some(({ deliveryError }) => deliveryError === 'The receiver answered 401'),
    )
    assert.match(String(receiver.received.at(-1)?.headers['webhook-signature']), /^v1,\S+$/)
  })
})
