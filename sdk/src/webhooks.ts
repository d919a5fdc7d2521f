import { limits, webhookHeaders } from '@millseal/contract'
import { decodeBase64, standardKeyOf } from './webhook-secret.ts'

export type ReceivedWebhook = {
  /** The secret of the webhook. During a rotation: the old and the new one. */
  readonly secret: string | readonly string[]
  /** The headers of the request, with names in any case. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>
  /** The raw body of the request, before anything parses it. */
  readonly body: string | Uint8Array
  /** Milliseconds since 1970. Default: now. */
  readonly now?: number
  /**
   * The header to verify. `standard`, the default, is `webhook-signature`, which also covers the id and the time.
   * `signature` covers only the body: an attacker can send a recorded request again with another time.
   */
  readonly scheme?: 'standard' | 'signature'
  /** The maximum difference between the time of the request and the clock. Default: 5 s. */
  readonly toleranceSeconds?: number
}

/** The request does not come from the service: answer it with 401. */
export class WebhookRefused extends Error {
  override readonly name = 'WebhookRefused'
}

export type VerifiedWebhook = {
  /** The id of the event. All attempts to deliver an event have the same id. */
  readonly id: string
  readonly resource: string
  readonly action: string
  readonly mode: string
}

const encoder = new TextEncoder()

/**
 * Throws `WebhookRefused` if the signature is missing or does not match, and if the time is too old or in the future.
 * Never falls back to the weaker header, because a forger could omit the stronger one.
 */
export const verifyWebhook = async (received: ReceivedWebhook): Promise<VerifiedWebhook> => {
  const { secret, now = Date.now(), toleranceSeconds = limits.signatureToleranceSeconds } = received
  const secrets = (typeof secret === 'string' ? [secret] : secret).filter((one) => one !== '')
  if (secrets.length === 0) throw new TypeError('secret is empty: set it to the secret of the webhook')
  const body = toBytes(received.body)
  const header = readerOf(received.headers)
  const claim = received.scheme === 'signature' ? plainClaim(header, body) : standardClaim(header, body)
  const ageSeconds = Math.floor(now / 1_000) - claim.timestamp
  if (ageSeconds > toleranceSeconds) throw new WebhookRefused('The signature is too old')
  if (ageSeconds < -toleranceSeconds) throw new WebhookRefused('The signature is from the future')
  if (!(await matchesAny(claim, secrets))) throw new WebhookRefused('The signature does not match')
  return {
    id: header(webhookHeaders.id) ?? '',
    resource: header(webhookHeaders.resource) ?? '',
    action: header(webhookHeaders.action) ?? '',
    mode: header(webhookHeaders.mode) ?? '',
  }
}

/** Frameworks often pass parsed JSON, and JavaScript has no types to prevent it. */
const toBytes = (body: unknown): Uint8Array => {
  if (typeof body === 'string') return encoder.encode(body)
  if (body instanceof Uint8Array) return body
  throw new TypeError(
    'body must be the raw request body, a string or bytes: verify the webhook before anything parses the body',
  )
}

type Claim = {
  readonly timestamp: number
  readonly signed: Uint8Array
  readonly signatures: readonly Uint8Array[]
  readonly keyOf: (secret: string) => Uint8Array
}

type ReadHeader = (name: string) => string | undefined

const plainClaim = (header: ReadHeader, body: Uint8Array): Claim => {
  const match = /^t=(\d{1,15}),h=([0-9a-f]{64})$/.exec(header(webhookHeaders.signature) ?? '')
  if (match === null) throw new WebhookRefused('There is no signature')
  const [, timestamp = '', digest = ''] = match
  return {
    timestamp: Number(timestamp),
    signed: body,
    signatures: [Uint8Array.from(digest.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))],
    keyOf: (secret) => encoder.encode(secret),
  }
}

/** https://www.standardwebhooks.com: the signature covers id, time and body; one valid signature is enough. */
const standardClaim = (header: ReadHeader, body: Uint8Array): Claim => {
  const standard = header(webhookHeaders.standardSignature)
  if (standard === undefined) throw new WebhookRefused('There is no signature')
  const id = header(webhookHeaders.id)
  const timestamp = header(webhookHeaders.timestamp)
  if (id === undefined || timestamp === undefined || !/^\d{1,15}$/.test(timestamp)) {
    throw new WebhookRefused('The id or the timestamp is missing')
  }
  return {
    timestamp: Number(timestamp),
    signed: concat(encoder.encode(`${id}.${timestamp}.`), body),
    signatures: standard
      .split(' ')
      .filter((one) => one.startsWith('v1,'))
      .map((one) => decodeBase64(one.slice('v1,'.length)) ?? new Uint8Array()),
    keyOf: standardKeyOf,
  }
}

/** WebCrypto compares in constant time. */
const matchesAny = async (claim: Claim, secrets: readonly string[]): Promise<boolean> => {
  for (const secret of secrets) {
    const algorithm = { name: 'HMAC', hash: 'SHA-256' }
    const key = await crypto.subtle.importKey('raw', bytesOf(claim.keyOf(secret)), algorithm, false, [
      'verify',
    ])
    for (const signature of claim.signatures) {
      if (await crypto.subtle.verify('HMAC', key, bytesOf(signature), bytesOf(claim.signed))) return true
    }
  }
  return false
}

/** A copy, because WebCrypto does not accept shared memory. */
const bytesOf = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(bytes)

const concat = (one: Uint8Array, other: Uint8Array): Uint8Array => {
  const whole = new Uint8Array(one.length + other.length)
  whole.set(one)
  whole.set(other, one.length)
  return whole
}

const readerOf = (headers: ReceivedWebhook['headers']): ReadHeader => {
  const entries: (readonly [string, unknown])[] =
    headers instanceof Headers ? [...headers] : Object.entries(headers)
  const values = new Map(entries.map(([name, value]) => [name.toLowerCase(), value]))
  return (name) => {
    const value = values.get(name)
    return typeof value === 'string' ? value : undefined
  }
}
