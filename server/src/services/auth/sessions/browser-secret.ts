import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { Secret } from '../../../lib/secret.ts'

/** The value of a cookie. The database contains only its hash; other values are derived from it. */
export type BrowserSecret = Secret

export const newBrowserSecret = (): BrowserSecret => new Secret(randomBytes(32).toString('base64url'))

export const readBrowserSecret = (value: string | undefined): BrowserSecret | undefined =>
  value !== undefined && /^[\w-]{43}$/.test(value) ? new Secret(value) : undefined

export const hashOf = (secret: BrowserSecret): Buffer => createHash('sha256').update(secret.reveal()).digest()

/** RFC 7636 §4.1 requires at least 43 characters, which is the length of 32 bytes in base64url. */
export const derive = (secret: BrowserSecret, purpose: 'state' | 'nonce' | 'verifier' | 'form'): string =>
  createHmac('sha256', secret.reveal()).update(purpose).digest('base64url')

export const isStateOf = (secret: BrowserSecret, given: unknown): boolean => {
  const bytes = Buffer.from(typeof given === 'string' ? given : '')
  const expected = Buffer.from(derive(secret, 'state'))
  return bytes.length === expected.length && timingSafeEqual(bytes, expected)
}
