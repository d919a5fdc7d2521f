import { createPublicKey, hash, type KeyObject, verify } from 'node:crypto'
import { isSafePoint, type Primitives, type SignatureCheck } from '@millseal/proof'

/** Importing a key costs more than verifying with it, and the same mills come back. */
const rememberedKeys = 1_024
const keys = new Map<string, KeyObject>()

/** The same answers as `portablePrimitives`, by OpenSSL. */
export const nodePrimitives: Primitives = {
  sha256: (bytes) => hash('sha256', bytes, 'buffer'),
  sha3_256: (bytes) => hash('sha3-256', bytes, 'buffer'),
  verifyEd25519: ({ publicKey, message, signature }: SignatureCheck) => {
    // OpenSSL accepts points of small order, under which one signature fits every message.
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
  if (keys.size >= rememberedKeys && oldest !== undefined) keys.delete(oldest)
  keys.set(x, key)
  return key
}
