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
const refused = (received: ReceivedWebhook): Promise<void> =>
  assert.rejects(verifyWebhook(received), WebhookRefused)

test('a request as the service sends it is believed by either header, from text, bytes and a Headers object', async () => {
  const told = { id, resource: 'certificates', action: 'notarize_one', mode: 'live' }
  assert.deepEqual(await verifyWebhook(request(t)), told)
  assert.deepEqual(await verifyWebhook({ ...request(t), scheme: 'signature' }), told)
  const headers = new Headers(request(t).headers as Record<string, string>)
  assert.deepEqual(await verifyWebhook({ ...request(t), headers, body: Buffer.from(body) }), told)
})

test('a time more than 5 seconds ago or ahead is refused, whichever header is gone by', async () => {
  for (const scheme of ['standard', 'signature'] as const) {
    for (const off of [-5, 0, 5]) await verifyWebhook({ ...request(t + off), scheme })
    for (const off of [-3_600, -6, 6, 3_600]) await refused({ ...request(t + off), scheme })
    await verifyWebhook({ ...request(t - 60), scheme, toleranceSeconds: 300 })
  }
})

test('a recorded request under another time or id is refused by the standard header, which the other one cannot', async () => {
  const recorded = request(t - 60)
  const later = {
    ...recorded.headers,
    signature: plain(t - 60).replace(/t=\d+/, `t=${t}`),
    'webhook-timestamp': `${t}`,
  }
  await refused({ ...recorded, headers: later })
  await refused({ ...request(t), headers: { ...request(t).headers, 'Webhook-Id': id.replace(/1$/, '2') } })
  assert.ok(await verifyWebhook({ ...recorded, headers: later, scheme: 'signature' }))
})

test('leaving the stronger header out does not lead to the weaker one', async () => {
  const { 'webhook-signature': _left, ...headers } = request(t).headers as Record<string, string>
  await refused({ ...request(t), headers })
})

test('another body, another secret, no signature and odd signatures are refused', async () => {
  for (const scheme of ['standard', 'signature'] as const) {
    await refused({ ...request(t), scheme, body: `${body} ` })
    await refused({ ...request(t), scheme, secret: 'another' })
    await refused({ ...request(t), scheme, headers: {} })
  }
  for (const signature of ['', 't=1', `t=${t},h=`, `t=${t},h=zz`, `${plain(t)}00`, `h=1,t=${t}`])
    await refused({ ...request(t), scheme: 'signature', headers: { signature } })
  for (const signature of ['', 'v1', 'v1,', 'v1,!', `v2${standard(t).slice(2)}`])
    await refused({ ...request(t), headers: { ...request(t).headers, 'webhook-signature': signature } })
  await assert.rejects(verifyWebhook({ ...request(t), secret: '' }), TypeError)
})

test('while a secret is rotated, the one before and the one after are both good', async () => {
  const both = { 'webhook-signature': `${standard(t, Buffer.from('the new one'))} ${standard(t)}` }
  const headers = { ...request(t).headers, ...both }
  assert.ok(await verifyWebhook({ ...request(t), headers }))
  assert.ok(await verifyWebhook({ ...request(t), headers, secret: 'the new one' }))
  assert.ok(await verifyWebhook({ ...request(t), secret: ['the new one', secret], scheme: 'signature' }))
})
