import { Problem } from '../../../lib/problem.ts'
import { Secret } from '../../../lib/secret.ts'
import type { Keystore } from '../../../ports/keystore/keystore.ts'
import { isReadableSecret, sealHookSecret } from '../signatures/hook-secret.ts'

/** The secret as it was given: none of it means unsigned requests. */
export const readSecret = (given: string): Secret | undefined => {
  if (!isReadableSecret(given)) {
    throw new Problem('validation_failed', {
      details: ['/secret that starts with whsec_ must go on in base64'],
    })
  }
  return given === '' ? undefined : new Secret(given)
}

export const sealed = (
  keystore: Keystore,
  hookId: string,
  secret: Secret | undefined,
): Uint8Array | undefined => (secret === undefined ? undefined : sealHookSecret(keystore, hookId, secret))
