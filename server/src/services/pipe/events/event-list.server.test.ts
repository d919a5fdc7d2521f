import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openMill } from '../../../../test/console-mill.ts'
import { answer, startReceiver } from '../../../../test/receiver.ts'
import type { TestServer } from '../../../../test/test-server.ts'
import { eventsOnce, newEventfulOwner, newHook, startWebhookServer } from '../../../../test/webhooks.ts'

let server: TestServer
before(async () => {
  server = await startWebhookServer()
})
after(() => server[Symbol.asyncDispose]())

const arrived = (count: number) => (events: readonly { delivered: boolean }[]) =>
  events.length === count && events.every(({ delivered }) => delivered)

describe('the list of events', () => {
  test('says what each is about, is searched by that or by the id of the event, and its first page is counted', async () => {
    await using receiver = await startReceiver()
    const owner = await newEventfulOwner(server, 'searcher')
    const client = server.client(owner.admin.accessToken)
    const company = owner.company.id
    const { id: hook } = await newHook(server, owner, { connectionUrl: receiver.url })
    await owner.produce('Furnace 12', 'Furnace 13', 'Plate mill')
    const [first = assert.fail(), second] = await eventsOnce(server, owner, hook, arrived(3))
    const list = async (query: object) => {
      let headers = new Headers()
      const onHeaders = (received: Headers) => (headers = received)
      const events = await client.listEvents({ company, query: { hook, ...query }, onHeaders })
      const counted = ['x-total-count', 'x-total-count-exact'].map((name) => headers.get(name))
      return { found: events.map(({ about }) => about), counted }
    }
    assert.deepEqual(await list({}), {
      found: ['Plate mill', 'Furnace 13', 'Furnace 12'],
      counted: ['3', 'true'],
    })
    assert.deepEqual((await list({ text: 'furn' })).found, ['Furnace 13', 'Furnace 12'])
    assert.deepEqual((await list({ text: '13 FURNACE' })).found, ['Furnace 13'])
    assert.deepEqual((await list({ text: first.eventId.toUpperCase() })).found, ['Furnace 12'])
    assert.deepEqual(await list({ text: 'furnace', limit: 1 }), {
      found: ['Furnace 13'],
      counted: ['2', 'true'],
    })
    assert.deepEqual(await list({ text: 'furnace', after: second?.id }), {
      found: ['Furnace 12'],
      counted: [null, null],
    })
    assert.deepEqual(await list({ text: 'furnace', delivered: false }), { found: [], counted: ['0', 'true'] })
    const stranger = await newEventfulOwner(server, 'other-searcher')
    const foreign = { company: stranger.company.id, query: { text: first.eventId } }
    assert.deepEqual(await server.client(stranger.admin.accessToken).listEvents(foreign), [])
  })

  test('says the number of a certificate that was notarized and withdrawn', async () => {
    await using receiver = await startReceiver()
    const mill = await openMill(server, 'numbered')
    const company = mill.company.id
    const scopes = [{ resource: 'certificates', actions: ['notarize_one', 'withdraw_one'] }]
    const { id: hook } = await newHook(server, mill, { connectionUrl: receiver.url, scopes })
    const id = await mill.notarize({ number: 'A-2026/0007' })
    const body = { reason: 'Wrong heat' }
    await mill.client.withdrawCertificate({ company, params: { id }, body })
    await eventsOnce(server, mill, hook, arrived(2))
    const events = await mill.client.listEvents({ company, query: { text: 'a-2026/0007' } })
    assert.deepEqual(
      events.map(({ action, about }) => [action, about]),
      [
        ['withdraw_one', 'A-2026/0007'],
        ['notarize_one', 'A-2026/0007'],
      ],
    )
  })
})

test('the list of webhooks counts what failed and has not arrived since', async () => {
  await using receiver = await startReceiver({ reaction: answer(500) })
  const owner = await newEventfulOwner(server, 'counter')
  const client = server.client(owner.admin.accessToken)
  const company = owner.company.id
  const { id: broken } = await newHook(server, owner, { connectionUrl: receiver.url, mode: 'all' })
  const { id: unused } = await newHook(server, owner, {
    connectionUrl: receiver.url,
    scopes: [{ resource: 'identities', actions: ['revoke_one'] }],
  })
  const counted = async () =>
    new Map((await client.listHooks({ company })).map(({ id, failedDeliveries }) => [id, failedDeliveries]))
  await owner.produce('Furnace 12', 'Furnace 13')
  const failed = (events: readonly { deliveryError?: string | undefined }[]) =>
    events.length === 2 && events.every(({ deliveryError }) => deliveryError !== undefined)
  const [first = assert.fail()] = await eventsOnce(server, owner, broken, failed)
  assert.deepEqual([(await counted()).get(broken), (await counted()).get(unused)], [2, 0])
  assert.equal((await client.readHook({ company, params: { id: broken } })).failedDeliveries, undefined)
  const counts = await client.readCounts({ company, query: { mode: 'test' } })
  assert.equal(counts.failingWebhooks, 1, 'a webhook of both modes fails in both')

  receiver.react(answer(200))
  await client.retryEvent({ company, params: { id: first.id } })
  await eventsOnce(server, owner, broken, (events) => events.some(({ delivered }) => delivered))
  assert.equal((await counted()).get(broken), 1)
})
