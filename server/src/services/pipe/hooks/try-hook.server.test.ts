import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { TryHook } from '@millseal/contract'
import { verifyWebhook } from '@millseal/sdk'
import type { TestServer } from '../../../../test/test-server.ts'
import { newOwner, type Owner } from '../../../../test/machines.ts'
import { signUp, signUpOperator, verifyCompany } from '../../../../test/people.ts'
import { answer, startReceiver } from '../../../../test/receiver.ts'
import { assertRefused } from '../../../../test/refusal.ts'
import { auditOf } from '../../../../test/traces.ts'
import { eventsOnce, newEventfulOwner, newHook, startWebhookServer } from '../../../../test/webhooks.ts'

let server: TestServer
let owner: Owner
before(async () => {
  server = await startWebhookServer()
  owner = await newOwner(server, 'tester')
})
after(() => server[Symbol.asyncDispose]())

const as = ({ admin }: Pick<Owner, 'admin'>) => server.client(admin.accessToken)
const tryIt = (body: TryHook) => as(owner).tryHook({ company: owner.company.id, body })
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

describe('a receiver that is not registered', () => {
  test('gets one signed test event; the answer shows the exchange without credentials, and nothing is stored', async () => {
    const headers = { 'x-request-id': 'r-1', 'set-cookie': 'session=1', server: 'erp' }
    await using receiver = await startReceiver({ reaction: answer(202, headers, 'queued') })
    const connectionUrl = receiver.url
    const own = [{ name: 'Authorization', value: 'Bearer of the receiver' }]
    using _still = server.clock.freeze()
    const trial = await tryIt({ connectionUrl, secret, headers: own })
    const [request] = await receiver.until(1)
    assert.ok(request)
    assert.equal(request.headers['authorization'], 'Bearer of the receiver')
    const verified = await verifyWebhook({
      secret,
      headers: request.headers,
      body: request.body,
      now: server.clock.now(),
    })
    assert.deepEqual([verified.id, verified.resource, verified.action], [trial.eventId, 'hooks', 'test'])
    assert.deepEqual(
      [trial.delivered, trial.statusCode, trial.answer, trial.payload],
      [true, 202, 'queued', request.body.toString()],
    )
    assert.deepEqual(
      [
        trial.answerHeaders?.['server'],
        trial.answerHeaders?.['x-request-id'],
        trial.answerHeaders?.['set-cookie'],
      ],
      ['erp', 'r-1', undefined],
    )
    assert.equal(trial.request?.url, connectionUrl)
    const sent = trial.request?.headers ?? {}
    assert.deepEqual(
      ['authorization', 'signature', 'webhook-signature', 'webhook-id'].map((name) => sent[name]),
      ['[hidden]', '[hidden]', '[hidden]', trial.eventId],
    )
    assert.deepEqual(await as(owner).listHooks({ company: owner.company.id }), [])
    assert.deepEqual(await as(owner).listEvents({ company: owner.company.id }), [])
    assert.equal((await auditOf(server, owner.company.id)).at(-1)?.action, 'hooks.try')
  })

  test('that fails or cannot be reached is reported, not retried', async () => {
    await using receiver = await startReceiver({ reaction: answer(500, {}, 'no such table') })
    const failed = await tryIt({ connectionUrl: receiver.url })
    assert.deepEqual(
      [failed.delivered, failed.statusCode, failed.answer, failed.error],
      [false, 500, 'no such table', 'The receiver answered 500'],
    )
    const { url } = receiver
    await receiver[Symbol.asyncDispose]()
    const unreachable = await tryIt({ connectionUrl: url })
    assert.deepEqual([unreachable.delivered, unreachable.statusCode], [false, undefined])
    assert.ok((unreachable.error ?? '').length > 0)
    await using again = await startReceiver()
    assert.equal(again.received.length, 0)
  })

  test('is refused where a webhook would be, and to members who may not register webhooks', async () => {
    for (const connectionUrl of [
      'http://10.0.0.1/hook',
      'https://user:pass@example.com/',
      'ftp://example.com/',
    ])
      await assertRefused(tryIt({ connectionUrl }), 'hook_target_refused')
    await assertRefused(tryIt({ connectionUrl: 'http://example.com/', mode: 'live' }), 'hook_target_refused')
    const headers = [{ name: 'webhook-id', value: 'x' }]
    await assertRefused(tryIt({ connectionUrl: 'https://example.com/', headers }), 'validation_failed')
    const member = await signUp(server, 'mere-operator')
    await as(owner).addMember({
      params: { id: owner.company.id },
      body: { email: member.email, role: 'operator' },
    })
    const call = server
      .client(member.accessToken)
      .tryHook({ company: owner.company.id, body: { connectionUrl: 'https://example.com/' } })
    await assertRefused(call, 'member_role_missing')
  })
})

describe('all failed deliveries of a webhook', () => {
  test('are made again from a time on, once it works', async () => {
    await using receiver = await startReceiver({ reaction: answer(500) })
    const eventful = await newEventfulOwner(server, 'repairer')
    const { id } = await newHook(server, eventful, { connectionUrl: receiver.url })
    const company = eventful.company.id
    const retry = (since: string) => as(eventful).retryHook({ params: { id }, company, body: { since } })
    await eventful.produce('one', 'two', 'three')
    const failed = await eventsOnce(
      server,
      eventful,
      id,
      (found) => found.length === 3 && found.every(({ deliveryError }) => deliveryError !== undefined),
    )
    assert.ok(failed.every(({ nextAttemptAt }) => nextAttemptAt !== undefined))
    const since = failed[0]?.createdAt ?? ''
    assert.deepEqual(await retry(new Date(server.clock.now() + 60_000).toISOString()), { count: 0 })
    receiver.react(answer(200))
    assert.deepEqual(await retry(since), { count: 3 })
    await eventsOnce(server, eventful, id, (found) => found.every(({ delivered }) => delivered))
    assert.deepEqual(await retry(since), { count: 0 }, 'delivered ones are not sent again')
    const other = { params: { id }, company: owner.company.id, body: { since } }
    await assertRefused(as(owner).retryHook(other), 'not_found')
    await assertRefused(retry('2016-12-31T23:59:60Z'), 'validation_failed')
    await as(eventful).updateHook({ params: { id }, company, body: { status: 'disabled' } })
    await assertRefused(retry(since), 'hook_disabled')
  })

  test('show what each attempt sent and got', async () => {
    await using receiver = await startReceiver({ reaction: answer(503, { 'retry-after': '7' }, 'later') })
    const eventful = await newEventfulOwner(server, 'curious')
    const headers = [{ name: 'X-Api-Key', value: 'a key of the receiver' }]
    const { id } = await newHook(server, eventful, { connectionUrl: receiver.url, headers })
    await eventful.produce('one')
    const [event] = await eventsOnce(server, eventful, id, (found) => found[0]?.deliveryError !== undefined)
    const key = { params: { id: event?.id ?? '' }, company: eventful.company.id }
    const read = async (answers: boolean) =>
      (await as(eventful).readEvent({ ...key, query: { answers } })).attempts?.[0]
    const shown = await read(true)
    assert.equal(shown?.answerHeaders?.['retry-after'], '7')
    assert.equal(shown?.request?.url, receiver.url)
    assert.deepEqual(
      ['x-api-key', 'signature', 'event-resource'].map((name) => shown?.request?.headers[name]),
      ['[hidden]', '[hidden]', 'applications'],
    )
    const brief = await read(false)
    assert.deepEqual([brief?.answer, brief?.answerHeaders], [undefined, undefined])
  })
})

describe('the address for notices about a webhook', () => {
  test('gets them besides the admins, if the company may mail it; empty means nobody', async () => {
    await using receiver = await startReceiver({ reaction: answer(410) })
    const eventful = await newEventfulOwner(server, 'notifier')
    await verifyCompany(server, await signUpOperator(server), eventful.company.id)
    const notifyEmail = 'it@integrator.example'
    const connectionUrl = receiver.url
    const { id, ...hook } = await newHook(server, eventful, { connectionUrl, notifyEmail, mode: 'all' })
    assert.equal(hook.notifyEmail, notifyEmail)
    await eventful.produce('unwanted')
    await server.mailsTo(eventful.admin.email, 1, /Webhook wurde ausgeschaltet/)
    const [mail = ''] = await server.mailsTo(notifyEmail, 1, /Webhook wurde ausgeschaltet/)
    assert.doesNotMatch(mail, /Guten Tag/)
    const plain = mail.replaceAll('=\r\n', '').replaceAll('=3D', '=')
    assert.match(plain, new RegExp(`/console/webhooks/${id}\\?company=${eventful.company.id}`))
    assert.match(
      plain,
      new RegExp(`^Subject: Ein Webhook wurde ausgeschaltet: ${new URL(connectionUrl).host}$`, 'm'),
    )
    const key = { params: { id }, company: eventful.company.id }
    const emptied = await as(eventful).updateHook({ ...key, body: { notifyEmail: '' } })
    assert.equal(emptied.notifyEmail, undefined)
    const wrong = { ...key, body: { notifyEmail: 'nobody' } }
    await assertRefused(as(eventful).updateHook(wrong), 'validation_failed')
  })
})
