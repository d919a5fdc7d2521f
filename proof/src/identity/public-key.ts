import { decodeBase58 } from '../encoding/base58.ts'
import { equalBytes } from '../encoding/bytes.ts'
import { decodeHex } from '../encoding/hex.ts'

/** p = 2^255 − 19. */
const prime = decodeHex(`ed${'ff'.repeat(30)}7f`)

/** Points of order 1, 2, 4 and 8 without the sign bit, y and p − y. For such a key, one signature is valid for every message. */
const smallOrder = [
  '00'.repeat(32),
  `01${'00'.repeat(31)}`,
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
]
  .map(decodeHex)
  .flatMap((y) => [y, prime.map((byte, at) => byte - (y[at] ?? 0))])

/** Whether an Ed25519 point has the canonical encoding (RFC 8032 §5.1.3) and no small order. */
export const isSafePoint = (point: Uint8Array): boolean => {
  if (point.length !== 32 || !isReduced(point)) return false
  const unsigned = Uint8Array.from(point)
  unsigned[31] = (unsigned[31] ?? 0) & 0x7f
  return !smallOrder.some((unsafe) => equalBytes(unsafe, unsigned))
}

/** Below p = 2^255 − 19, as little-endian bytes. */
const isReduced = (point: Uint8Array): boolean =>
  ((point[31] ?? 0) & 0x7f) !== 0x7f ||
  (point[0] ?? 0) < 0xed ||
  point.subarray(1, 31).some((byte) => byte !== 0xff)

/** Returns the 32 bytes of a base58 key. Throws if the key is malformed or unsafe. */
export const decodePublicKey = (text: string): Uint8Array => {
  const key = decodeBase58(text)
  if (key.length !== 32) throw new SyntaxError('A public key has 32 bytes')
  if (!isSafePoint(key))
    throw new SyntaxError('A public key must be canonical and must not have a small order')
  return key
}
