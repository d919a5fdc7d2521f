import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { verifyWebhook } from '@millseal/sdk'
import { Webhook } from 'standardwebhooks'
import type { TestServer } from '../../../../test/test-server.ts'
import { answer, type Received, startReceiver } from '../../../../test/receiver.ts'
import { assertRefused } from '../../../../test/refusal.ts'
import {
  type Eventful,
  eventsOnce,
  newEventfulOwner,
  newHook,
  startWebhookServer,
} from '../../../../test/webhooks.ts'

let server: TestServer
let owner: Eventful
before(async () => {
  server = await startWebhookServer()
  owner = await newEventfulOwner(server, 'sender')
})
after(() => server[Symbol.asyncDispose]())

const as = ({ admin }: Pick<Eventful, 'admin'>) => server.client(admin.accessToken)
const one = (id: string) => ({ params: { id }, company: owner.company.id })
const nameIn = ({ body }: Received): unknown => (JSON.parse(body.toString('utf8')) as { name: unknown }).name

/** The documented way for receivers that no longer have the raw body. */
const sortedAgain = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sortedAgain)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, member]) => [key, sortedAgain(member)]))
}

describe('a request to a webhook', () => {
  test('is not made again by its process if it takes longer than the lease, as after a stop', async () => {
    const slow = Promise.withResolvers<ServerResponse>()
    await using receiver = await startReceiver({
      reaction: ({ response, nth }) => (nth === 1 ? slow.resolve(response) : void response.end()),
    })
    const { id } = await newHook(server, owner, { connectionUrl: receiver.url })
    await owner.produce('slow')
    const answerSlow = await slow.promise
    server.clock.advance({ minutes: 2 })
    await owner.produce('later')
    await receiver.until(2)
    answerSlow.end()
    await eventsOnce(server, owner, id, (events) => events.filter(({ delivered }) => delivered).length === 2)
    assert.deepEqual(receiver.received.map(nameIn), ['slow', 'later'])
  })

  test('contains the payload with sorted keys, signed in both documented ways and by Standard Webhooks', async () => {
    using _still = server.clock.freeze()
    await using receiver = await startReceiver()
    const { id, secret } = await newHook(server, owner, { connectionUrl: receiver.url })
    await owner.produce('Grüße ✓')
    const [request] = await receiver.until(1)
    assert.ok(request !== undefined)
    const { headers, body } = request
    const text = body.toString('utf8')
    const [event] = await eventsOnce(server, owner, id, (events) => events[0]?.delivered === true)
    assert.deepEqual(JSON.parse(text), event?.payload)
    const [, t = '', h] = /^t=(\d+),h=([0-9a-f]{64})$/.exec(String(headers['signature'])) ?? []
    assert.equal(Number(t), Math.floor(server.clock.now() / 1_000))
    for (const read of [text, JSON.stringify(sortedAgain(JSON.parse(text)))])
      assert.equal(createHmac('sha256', secret).update(read).digest('hex'), h)
    assert.ok(new Webhook(secret).verify(text, headers as Record<string, string>))
    for (const scheme of ['standard', 'signature'] as const) {
      assert.deepEqual(await verifyWebhook({ secret, headers, body, scheme, now: server.clock.now() }), {
        id: event?.eventId,
        resource: 'applications',
        action: 'update_one',
        mode: 'test',
      })
    }
    assert.equal(headers['content-type'], 'application/json')
    await as(owner).deleteHook(one(id))
  })

  test('is a form if the webhook requests one, and unsigned if the secret is empty', async () => {
    using _still = server.clock.freeze()
    await using receiver = await startReceiver()
    const contentType = 'application/x-www-form-urlencoded'
    const signed = await newHook(server, owner, { connectionUrl: `${receiver.url}?signed`, contentType })
    const unsigned = await newHook(server, owner, { connectionUrl: receiver.url, contentType, secret: '' })
    await owner.produce('a&b=c d')
    const requests = await receiver.until(2)
    for (const { path, headers, body } of requests) {
      assert.equal(headers['content-type'], contentType)
      const { payload = '', ...rest } = Object.fromEntries(new URLSearchParams(body.toString()))
      assert.deepEqual(rest, {})
      assert.equal((JSON.parse(payload) as { name: string }).name, 'a&b=c d')
      assert.equal('signature' in headers, path.endsWith('signed'))
      assert.equal('webhook-signature' in headers, path.endsWith('signed'))
      if (!path.endsWith('signed')) continue
      for (const scheme of ['standard', 'signature'] as const)
        assert.ok(
          await verifyWebhook({ secret: signed.secret, headers, body, scheme, now: server.clock.now() }),
        )
    }
    for (const { id } of [signed, unsigned]) await as(owner).deleteHook(one(id))
  })

  test('is sent for events that the webhook listens to, in its mode, while it is enabled', async () => {
    await using receiver = await startReceiver()
    const hooks = await Promise.all([
      newHook(server, owner, { connectionUrl: `${receiver.url}/hears` }),
      newHook(server, owner, { connectionUrl: 'https://example.com/live', mode: 'live' }),
      newHook(server, owner, { connectionUrl: `${receiver.url}/off`, status: 'disabled' }),
      newHook(server, owner, {
        connectionUrl: `${receiver.url}/other`,
        scopes: [{ resource: 'wallets', actions: ['*'] }],
      }),
    ])
    const stranger = await newEventfulOwner(server, 'elsewhere')
    const theirs = await newHook(server, stranger, { connectionUrl: `${receiver.url}/theirs` })
    await owner.produce('once')
    await stranger.produce('twice')
    const requests = await receiver.until(2)
    assert.deepEqual(requests.map(({ path }) => path).toSorted(), ['/hook/hears', '/hook/theirs'])
    for (const { id } of hooks.slice(1)) {
      assert.deepEqual(await as(owner).listEvents({ company: owner.company.id, query: { hook: id } }), [])
    }
    const events = await as(stranger).listEvents({ company: stranger.company.id })
    assert.deepEqual(
      events.map(({ hook }) => hook.id),
      [theirs.id],
    )
    for (const { id } of hooks) await as(owner).deleteHook(one(id))
  })
})

describe('the events of a webhook', () => {
  test('are listed, filtered and read with every attempt; answers are shown on request', async () => {
    await using receiver = await startReceiver({ reaction: answer(503, {}, 'not before noon') })
    const { id, connectionUrl } = await newHook(server, owner, { connectionUrl: receiver.url })
    await owner.produce('early')
    const [event] = await eventsOnce(server, owner, id, (found) => found[0]?.deliveryError !== undefined)
    assert.ok(event !== undefined)
    assert.deepEqual(event.error, { message: 'The receiver answered 503', statusCode: 503 })
    assert.deepEqual([event.delivered, event.hook, event.mode], [false, { id, connectionUrl }, 'test'])
    assert.ok((event.nextAttemptAt ?? '') > (event.createdAt ?? ''))
    const { attempts = [] } = await as(owner).readEvent(one(event.id))
    const [first] = attempts
    assert.deepEqual(
      [attempts.length, first?.statusCode, first?.error, first?.answer],
      [1, 503, 'The receiver answered 503', undefined],
    )
    const shown = await as(owner).readEvent({ ...one(event.id), query: { answers: true } })
    assert.equal(shown.attempts?.[0]?.answer, 'not before noon')
    const listed = (query: object) =>
      as(owner).listEvents({ company: owner.company.id, query: { hook: id, ...query } })
    for (const query of [{ delivered: false }, { resource: 'applications' }, { action: 'update_one' }])
      assert.equal((await listed(query)).length, 1)
    for (const query of [{ delivered: true }, { resource: 'wallet' }, { action: 'delete_one' }])
      assert.equal((await listed(query)).length, 0)
    const hook = await as(owner).readHook(one(id))
    assert.deepEqual(
      hook.events?.map((embedded) => embedded.id),
      [event.id],
    )
    const stranger = await newEventfulOwner(server, 'peeper')
    const foreign = { params: { id: event.id }, company: stranger.company.id }
    await assertRefused(as(stranger).readEvent(foreign), 'not_found')
    await assertRefused(as(stranger).retryEvent(foreign), 'not_found')
    await as(owner).deleteHook(one(id))
    await assertRefused(as(owner).readEvent(one(event.id)), 'not_found')
  })

  test('are delivered again on request after a failure, with the same id and a new time', async () => {
    await using receiver = await startReceiver({ reaction: answer(500) })
    const { id } = await newHook(server, owner, { connectionUrl: receiver.url })
    await owner.produce('again')
    const [failed] = await eventsOnce(server, owner, id, (found) => found[0]?.deliveryError !== undefined)
    receiver.react(answer(204))
    const again = await as(owner).retryEvent(one(failed?.id ?? ''))
    assert.equal(again.id, failed?.id)
    const [first, second] = await receiver.until(2)
    assert.equal(first?.headers['webhook-id'], second?.headers['webhook-id'])
    const [delivered] = await eventsOnce(server, owner, id, (found) => found[0]?.delivered === true)
    assert.deepEqual([delivered?.deliveryError, delivered?.nextAttemptAt], [undefined, undefined])
    await assertRefused(as(owner).retryEvent(one(delivered?.id ?? '')), 'delivery_not_failed')
    await as(owner).deleteHook(one(id))
  })

  test('include a test event, which goes to this webhook alone', async () => {
    await using receiver = await startReceiver()
    const { id } = await newHook(server, owner, { connectionUrl: receiver.url })
    const sent = await as(owner).testHook(one(id))
    assert.deepEqual(
      [sent.resource, sent.action, sent.delivered, sent.payload['id']],
      ['hooks', 'test', false, id],
    )
    const [request] = await receiver.until(1)
    assert.equal(request?.headers['webhook-id'], sent.eventId)
    assert.deepEqual([request?.headers['event-action'], request?.headers['event-mode']], ['test', 'test'])
    await eventsOnce(server, owner, id, (found) => found[0]?.delivered === true)
    await as(owner).updateHook({ ...one(id), body: { status: 'disabled' } })
    await assertRefused(as(owner).testHook(one(id)), 'hook_disabled')
    await as(owner).deleteHook(one(id))
  })
})

test('receivers that hang do not delay others, which get their events while every attempt at these still runs', async () => {
  let ended = 0
  await using hanging = await startReceiver({
    reaction: ({ response }) => void response.once('close', () => (ended += 1)),
  })
  await using well = await startReceiver()
  const busy = await newEventfulOwner(server, 'busy')
  for (let n = 0; n < 20; n += 1)
    await newHook(server, busy, { connectionUrl: n % 10 === 0 ? hanging.url : `${well.url}/${n}` })
  // More than four at once.
  const names = Array.from({ length: 8 }, (_, n) => `event ${n}`)
  await busy.produce(...names)
  const received = await well.until(18 * names.length)
  assert.equal(received.length, 18 * names.length)
  // Four at once for each of the two: another one starts only when an attempt has ended, which takes ten seconds.
  assert.ok(hanging.received.length >= 8 && hanging.received.length <= 8 + ended)
})

test('an ordered webhook gets its events in order, whatever fails; events of other webhooks overtake them', async () => {
  await using receiver = await startReceiver({
    reaction: (given) => answer(given.nth % 3 === 0 ? 500 : 200)(given),
  })
  const orderly = await newEventfulOwner(server, 'orderly')
  const { id } = await newHook(server, orderly, { connectionUrl: receiver.url, ordered: true })
  const names = Array.from({ length: 12 }, (_, n) => `event ${n}`)
  await orderly.produce(...names)
  const isSettled = () => receiver.received.length >= 17
  while (!isSettled()) {
    const so = receiver.received.length
    if (so % 3 === 0) {
      await eventsOnce(server, orderly, id, (found) =>
        found.some(({ deliveryError }) => deliveryError !== undefined),
      )
      server.clock.advance({ seconds: 6 })
    }
    await receiver.until(so + 1)
  }
  await eventsOnce(server, orderly, id, (found) => found.every(({ delivered }) => delivered))
  const inOrder = receiver.received.map(nameIn)
  assert.deepEqual([...new Set(inOrder)], names)
  assert.deepEqual(
    inOrder,
    inOrder.toSorted((a, b) => names.indexOf(String(a)) - names.indexOf(String(b))),
  )
})
