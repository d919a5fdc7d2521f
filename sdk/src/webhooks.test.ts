import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { type ReceivedWebhook, verifyWebhook, WebhookRefused } from './webhooks.ts'

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const body = '{"RefSchemaUrl":"https://example.com/schema.json","ü":1}'
const now = Date.UTC(2026, 1, 3, 4, 5, 6, 900)
const t = Math.floor(now / 1_000)
const id = '0198c0de-0000-7000-8000-000000000001'

const plain = (at: number, key = secret): string =>
  `t=${at},h=${createHmac('sha256', key).update(body).digest('hex')}`
const standard = (at: number, key = Buffer.alloc(32, 7)): string =>
  `v1,${createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64')}`

const request = (at: number): ReceivedWebhook => ({
  secret,
  body,
  now,
  headers: {
    signature: plain(at),
    'Webhook-Id': id,
    'webhook-timestamp': String(at),
    'webhook-signature': standard(at),
    'event-resource': 'certificates',
    'event-action': 'notarize_one',
    'event-mode': 'live',
  },
})
const assertRefused = (received: ReceivedWebhook): Promise<void> =>
  assert.rejects(verifyWebhook(received), WebhookRefused)

test('accepts a request of the service by either header, as text, as bytes, and with a Headers object', async () => {
  const verified = { id, resource: 'certificates', action: 'notarize_one', mode: 'live' }
  assert.deepEqual(await verifyWebhook(request(t)), verified)
  assert.deepEqual(await verifyWebhook({ ...request(t), scheme: 'signature' }), verified)
  const headers = new Headers(request(t).headers as Record<string, string>)
  assert.deepEqual(await verifyWebhook({ ...request(t), headers, body: Buffer.from(body) }), verified)
})

test('rejects a time more than 5 seconds in the past or future, with either header', async () => {
  for (const scheme of ['standard', 'signature'] as const) {
    for (const off of [-5, 0, 5]) await verifyWebhook({ ...request(t + off), scheme })
    for (const off of [-3_600, -6, 6, 3_600]) await assertRefused({ ...request(t + off), scheme })
    await verifyWebhook({ ...request(t - 60), scheme, toleranceSeconds: 300 })
  }
})

test('rejects a recorded request with another time or id, but only with the standard header', async () => {
  const recorded = request(t - 60)
  const later = {
    ...recorded.headers,
    signature: plain(t - 60).replace(/t=\d+/, `t=${t}`),
    'webhook-timestamp': `${t}`,
  }
  await assertRefused({ ...recorded, headers: later })
  await assertRefused({
    ...request(t),
    headers: { ...request(t).headers, 'Webhook-Id': id.replace(/1$/, '2') },
  })
  assert.ok(await verifyWebhook({ ...recorded, headers: later, scheme: 'signature' }))
})

test('does not fall back to the weaker header if the stronger one is missing', async () => {
  const { 'webhook-signature': _left, ...headers } = request(t).headers as Record<string, string>
  await assertRefused({ ...request(t), headers })
})

test('rejects another body, another secret, a missing signature and malformed signatures', async () => {
  for (const scheme of ['standard', 'signature'] as const) {
    await assertRefused({ ...request(t), scheme, body: `${body} ` })
    await assertRefused({ ...request(t), scheme, secret: 'another' })
    await assertRefused({ ...request(t), scheme, headers: {} })
  }
  for (const signature of ['', 't=1', `t=${t},h=`, `t=${t},h=zz`, `${plain(t)}00`, `h=1,t=${t}`])
    await assertRefused({ ...request(t), scheme: 'signature', headers: { signature } })
  for (const signature of ['', 'v1', 'v1,', 'v1,!', `v2${standard(t).slice(2)}`])
    await assertRefused({ ...request(t), headers: { ...request(t).headers, 'webhook-signature': signature } })
  await assert.rejects(verifyWebhook({ ...request(t), secret: '' }), TypeError)
})

test('accepts the old and the new secret during a rotation', async () => {
  const both = { 'webhook-signature': `${standard(t, Buffer.from('the new one'))} ${standard(t)}` }
  const headers = { ...request(t).headers, ...both }
  assert.ok(await verifyWebhook({ ...request(t), headers }))
  assert.ok(await verifyWebhook({ ...request(t), headers, secret: 'the new one' }))
  assert.ok(await verifyWebhook({ ...request(t), secret: ['the new one', secret], scheme: 'signature' }))
})

test('explains that it needs the body before anything parses it', async () => {
  const parsed: unknown = JSON.parse(body)
  for (const wrong of [parsed, undefined, [1, 2]])
    await assert.rejects(
      verifyWebhook({ ...request(t), body: wrong as string }),
      (error) => error instanceof TypeError && /body must be the raw request body/.test(error.message),
    )
})
