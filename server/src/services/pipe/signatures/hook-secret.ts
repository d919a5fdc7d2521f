import { randomBytes } from 'node:crypto'
import { Secret } from '../../../lib/secret.ts'
import type { Keystore } from '../../../ports/keystore/keystore.ts'

const prefix = 'whsec_'
const secretBytes = 32

/** In the form of Standard Webhooks, which its libraries take as it is. */
export const newHookSecret = (): Secret =>
  new Secret(`${prefix}${randomBytes(secretBytes).toString('base64')}`)

/** A secret that only looks like one of Standard Webhooks would be read as two different keys. */
export const isReadableSecret = (secret: string): boolean => {
  if (!secret.startsWith(prefix)) return true
  const encoded = secret.slice(prefix.length)
  return encoded !== '' && Buffer.from(encoded, 'base64').toString('base64') === encoded
}

/** What the header `webhook-signature` is keyed with: the bytes that a secret of Standard Webhooks stands for. */
export const standardKey = (secret: Secret): Buffer => {
  const text = secret.reveal()
  return text.startsWith(prefix) ? Buffer.from(text.slice(prefix.length), 'base64') : Buffer.from(text)
}

const contextOf = (hookId: string): string => `hooks/${hookId}/secret`

export const sealHookSecret = (keystore: Keystore, hookId: string, secret: Secret): Uint8Array =>
  keystore.seal(Buffer.from(secret.reveal()), contextOf(hookId))

export const openHookSecret = (keystore: Keystore, hookId: string, sealed: Uint8Array): Secret =>
  new Secret(Buffer.from(keystore.open(sealed, contextOf(hookId))).toString('utf8'))
