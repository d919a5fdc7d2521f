import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { signWebhook } from './sign-webhook.ts'
import { verifyWebhook, WebhookRefused } from './webhooks.ts'

const body = '{"certificate":"1","name":"Grobblech für Österreich"}'
const secrets = ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'a secret of words']

describe('a webhook that was signed for a test', () => {
  for (const secret of secrets)
    test(`is accepted by a receiver, in both headers, but not with another body or secret: ${secret}`, async () => {
      const headers = await signWebhook({ secret, id: 'event-1', body, now: 1_790_000_000_000 })
      const received = { secret, headers, body, now: 1_790_000_001_000 }
      assert.equal((await verifyWebhook(received)).id, 'event-1')
      assert.equal((await verifyWebhook({ ...received, scheme: 'signature' })).id, 'event-1')
      for (const wrong of [{ body: `${body} ` }, { secret: 'another' }, { now: 1_790_000_009_000 }])
        await assert.rejects(() => verifyWebhook({ ...received, ...wrong }), WebhookRefused)
    })
})
