import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { Secret } from '../../../lib/secret.ts'

/** What a cookie of ours holds. The database knows its hash; what else is needed is derived from it. */
export type BrowserSecret = Secret

export const newBrowserSecret = (): BrowserSecret => new Secret(randomBytes(32).toString('base64url'))

export const readBrowserSecret = (value: string | undefined): BrowserSecret | undefined =>
  value !== undefined && /^[\w-]{43}$/.test(value) ? new Secret(value) : undefined

export const hashOf = (secret: BrowserSecret): Buffer => createHash('sha256').update(secret.reveal()).digest()

/** RFC 7636 §4.1 asks for 43 characters or more, which is what 32 bytes come to. */
export const derive = (secret: BrowserSecret, purpose: 'state' | 'nonce' | 'verifier' | 'form'): string =>
  createHmac('sha256', secret.reveal()).update(purpose).digest('base64url')

export const isStateOf = (secret: BrowserSecret, given: unknown): boolean => {
  const bytes = Buffer.from(typeof given === 'string' ? given : '')
  const expected = Buffer.from(derive(secret, 'state'))
  return bytes.length === expected.length && timingSafeEqual(bytes, expected)
}
