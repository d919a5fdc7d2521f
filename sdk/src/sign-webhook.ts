import { webhookHeaders } from '@millseal/contract'
import { standardKeyOf } from './webhook-secret.ts'

export type UnsignedWebhook = {
  readonly secret: string
  /** The id of the event. */
  readonly id: string
  readonly body: string | Uint8Array
  /** Milliseconds since 1970. Default: now. */
  readonly now?: number
}

const encoder = new TextEncoder()

/** The headers with which the service would send this body, for the tests of a receiver. */
export const signWebhook = async ({
  secret,
  id,
  body,
  now = Date.now(),
}: UnsignedWebhook): Promise<Record<string, string>> => {
  const seconds = Math.floor(now / 1_000)
  const bytes = typeof body === 'string' ? encoder.encode(body) : body
  const begin = encoder.encode(`${id}.${seconds}.`)
  const plain = await digestOf(encoder.encode(secret), bytes)
  const standard = await digestOf(standardKeyOf(secret), new Uint8Array([...begin, ...bytes]))
  return {
    [webhookHeaders.id]: id,
    [webhookHeaders.timestamp]: String(seconds),
    [webhookHeaders.signature]: `t=${seconds},h=${[...plain].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`,
    [webhookHeaders.standardSignature]: `v1,${btoa(String.fromCharCode(...standard))}`,
  }
}

const digestOf = async (secret: Uint8Array, signed: Uint8Array): Promise<Uint8Array> => {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', new Uint8Array(secret), algorithm, false, ['sign'])
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, new Uint8Array(signed)))
}
