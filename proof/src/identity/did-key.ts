import { decodeBase58, encodeBase58 } from '../encoding/base58.ts'
import { concatBytes } from '../encoding/bytes.ts'
import { isSafePoint } from './public-key.ts'

const ed25519Prefix = Uint8Array.of(0xed, 0x01)
export const scheme = 'did:key:'

/** `did:key` of an Ed25519 public key: multibase base58btc over the multicodec prefix and the key. */
export const didOf = (publicKey: Uint8Array): string =>
  scheme + multibase(ed25519Prefix, assertKey(publicKey))

/** Returns the Ed25519 public key of a `did:key`. Throws for any other DID. */
export const publicKeyOfDid = (did: string): Uint8Array => {
  if (!did.startsWith(`${scheme}z`)) throw new SyntaxError('Not a did:key in base58')
  const bytes = decodeBase58(did.slice(scheme.length + 1))
  if (bytes.length !== 34 || bytes[0] !== ed25519Prefix[0] || bytes[1] !== ed25519Prefix[1])
    throw new SyntaxError('Not the did:key of an Ed25519 key')
  return assertKey(bytes.subarray(2))
}

export const multibase = (prefix: Uint8Array, key: Uint8Array): string =>
  `z${encodeBase58(concatBytes(prefix, key))}`

const assertKey = (key: Uint8Array): Uint8Array => {
  if (!isSafePoint(key)) throw new SyntaxError('Not an Ed25519 public key, or one of small order')
  return key
}
