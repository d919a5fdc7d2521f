import { ed25519 } from '@noble/curves/ed25519.js'
import { sha256, sha512 } from '@noble/hashes/sha2.js'
import { sha3_256 } from '@noble/hashes/sha3.js'
import { concatBytes, equalBytes } from './encoding/bytes.ts'
import { isSafePoint } from './identity/public-key.ts'

export type SignatureCheck = {
  readonly publicKey: Uint8Array
  readonly message: Uint8Array
  readonly signature: Uint8Array
}

export type Hashing = { sha256(bytes: Uint8Array): Uint8Array }

export type SignatureVerifying = {
  /** Rejects keys and points of small order, and encodings that are not canonical. */
  verifyEd25519(check: SignatureCheck): boolean
}

/** The cryptography for proofs. All implementations must give the same results. */
export type Primitives = Hashing & SignatureVerifying & { sha3_256(bytes: Uint8Array): Uint8Array }

const { Point } = ed25519

/**
 * RFC 8032 §5.1.7 without the cofactor: compares R as bytes. noble multiplies by the cofactor and OpenSSL does not,
 * so verifiers would disagree about some signatures.
 */
const verifyEd25519 = ({ publicKey, message, signature }: SignatureCheck): boolean => {
  if (signature.length !== 64 || !isSafePoint(publicKey)) return false
  const commitment = signature.subarray(0, 32)
  const response = littleEndian(signature.subarray(32))
  if (!isSafePoint(commitment) || response >= Point.Fn.ORDER) return false
  try {
    const key = Point.fromBytes(publicKey, false)
    const challenge = littleEndian(sha512(concatBytes(commitment, publicKey, message))) % Point.Fn.ORDER
    const expected = Point.BASE.multiplyUnsafe(response).subtract(key.multiplyUnsafe(challenge))
    return equalBytes(expected.toBytes(), commitment)
  } catch {
    return false
  }
}

const littleEndian = (bytes: Uint8Array): bigint =>
  bytes.reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n)

/** For browsers and other runtimes without `node:crypto`. */
export const portablePrimitives: Primitives = { sha256, sha3_256, verifyEd25519 }
