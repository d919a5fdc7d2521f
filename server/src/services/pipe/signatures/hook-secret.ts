import { randomBytes } from 'node:crypto'
import { because } from '@millseal/contract/reasons'
import { Problem } from '../../../lib/problem.ts'
import { Secret } from '../../../lib/secret.ts'
import type { PipeDependencies } from '../dependencies.ts'

const prefix = 'whsec_'
const secretBytes = 32

/** In the form of Standard Webhooks, which its libraries accept unchanged. */
export const newHookSecret = (): Secret =>
  new Secret(`${prefix}${randomBytes(secretBytes).toString('base64')}`)

/** Undefined if it is empty: the requests are then unsigned. */
export const readHookSecret = (given: string): Secret | undefined => {
  // Libraries would read such a secret as another key than ours.
  if (given.startsWith(prefix) && !isBase64(given.slice(prefix.length))) {
    throw new Problem('validation_failed', {
      reasons: [because('secret_malformed', { place: '/secret' })],
    })
  }
  return given === '' ? undefined : new Secret(given)
}

const isBase64 = (text: string): boolean =>
  text !== '' && Buffer.from(text, 'base64').toString('base64') === text

/** The key of the header `webhook-signature`: the bytes that a secret of Standard Webhooks encodes. */
export const standardKey = (secret: Secret): Buffer => {
  const text = secret.reveal()
  return text.startsWith(prefix) ? Buffer.from(text.slice(prefix.length), 'base64') : Buffer.from(text)
}

const contextOf = (hookId: string): string => `hooks/${hookId}/secret`

export const encryptHookSecret = (
  { keystore }: PipeDependencies,
  hookId: string,
  secret: Secret,
): Uint8Array => keystore.encrypt(Buffer.from(secret.reveal()), contextOf(hookId))

export const decryptHookSecret = (
  { keystore }: PipeDependencies,
  hookId: string,
  encrypted: Uint8Array,
): Secret => new Secret(Buffer.from(keystore.decrypt(encrypted, contextOf(hookId))).toString('utf8'))
