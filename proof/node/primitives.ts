import { createPublicKey, hash, type KeyObject, verify } from 'node:crypto'
import { isSafePoint } from '../src/identity/public-key.ts'
import type { Primitives, SignatureCheck } from '../src/primitives.ts'

/** Importing a key costs more than verifying with it, and the same keys recur. */
const maxKeys = 1_024
const keys = new Map<string, KeyObject>()

/** Gives the same results as `portablePrimitives`, but uses OpenSSL. */
export const nodePrimitives: Primitives = {
  sha256: (bytes) => hash('sha256', bytes, 'buffer'),
  sha3_256: (bytes) => hash('sha3-256', bytes, 'buffer'),
  verifyEd25519: ({ publicKey, message, signature }: SignatureCheck) => {
    // OpenSSL accepts points of small order, with which one signature is valid for every message.
    if (signature.length !== 64 || !isSafePoint(publicKey) || !isSafePoint(signature.subarray(0, 32)))
      return false
    try {
      return verify(null, message, keyOf(publicKey), signature)
    } catch {
      return false
    }
  },
}

const keyOf = (publicKey: Uint8Array): KeyObject => {
  const x = Buffer.from(publicKey).toString('base64url')
  const known = keys.get(x)
  if (known !== undefined) return known
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  const [oldest] = keys.keys()
  if (keys.size >= maxKeys && oldest !== undefined) keys.delete(oldest)
  keys.set(x, key)
  return key
}
