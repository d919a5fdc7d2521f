import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { mailStatusHeaders } from '@millseal/contract'
import type { TestServer } from './test-server.ts'

export type MailProvider = {
  /** As the provider shows it, for the setting. */
  readonly publicKey: string
  /** Posts its events, signed now unless said otherwise; resolves with the status and what was answered. */
  tell(server: TestServer, events: unknown, changed?: Changed): Promise<{ status: number; answer: unknown }>
}

export type Changed = {
  readonly timestamp?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly key?: KeyObject
  /** Sent instead of what was signed. */
  readonly body?: string
}

/** Signs the way SendGrid does: ECDSA P-256 with SHA-256 over the timestamp and the body. */
export const newMailProvider = (): MailProvider => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  return {
    publicKey: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
    async tell(server, events, { timestamp, headers, key = privateKey, body } = {}) {
      const signed = typeof events === 'string' ? events : JSON.stringify(events)
      const at = timestamp ?? String(Math.floor(server.clock.now() / 1_000))
      const signature = sign('sha256', Buffer.from(at + signed), { key, dsaEncoding: 'der' }).toString(
        'base64',
      )
      const response = await fetch(`${server.url}/api/mailhooks/webhooks`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(headers ?? { [mailStatusHeaders.signature]: signature, [mailStatusHeaders.timestamp]: at }),
        },
        body: body ?? signed,
      })
      return { status: response.status, answer: await response.json() }
    },
  }
}
