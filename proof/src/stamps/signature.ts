import { encodeDer } from '../ledger/der.ts'
import { concatBytes, equalBytes } from '../encoding/bytes.ts'
import { decodeHex, encodeHex } from '../encoding/hex.ts'
import type { HashAlgorithm, SignatureAlgorithm } from './algorithms.ts'
import { readDer, tags } from './der.ts'
import { openFields, unsignedOf } from './fields.ts'
import type { EcKey, PublicKey, RsaKey } from './public-key.ts'

export type SignedMessage = {
  readonly key: PublicKey
  readonly algorithm: SignatureAlgorithm & { readonly hash: HashAlgorithm }
  readonly message: Uint8Array
  readonly signature: Uint8Array
}

export const isSignedBy = ({ key, algorithm, message, signature }: SignedMessage): boolean => {
  const digest = algorithm.hash.digest(message)
  if ('curve' in key) return algorithm.kind === 'ecdsa' && isEcdsa(key, { digest, signature })
  if (algorithm.kind === 'ecdsa') return false
  const encoded = openRsa(key, signature)
  if (encoded === undefined) return false
  return algorithm.kind === 'pkcs1'
    ? equalBytes(encoded, pkcs1Of(digest, { hash: algorithm.hash, length: encoded.length }))
    : isPss(encoded, { digest, ...algorithm, bits: key.modulus.toString(2).length - 1 })
}

const isEcdsa = (
  { curve, point }: EcKey,
  { digest, signature }: { readonly digest: Uint8Array; readonly signature: Uint8Array },
): boolean => {
  const fields = openFields(readDer(signature), 'signature')
  const width = (curve.lengths.signature ?? 0) / 2
  const halves = [tags.integer, tags.integer].map((tag) =>
    toBytes(unsignedOf(fields.take(tag), 'signature'), width),
  )
  fields.end()
  if (halves.some((half) => half === undefined)) return false
  const compact = concatBytes(...halves.flatMap((half) => half ?? []))
  return curve.verify(compact, digest, point, { prehash: false, lowS: false })
}

/** Big endian. Undefined if the value needs more bytes. */
const toBytes = (value: bigint, length: number): Uint8Array | undefined => {
  const hex = value.toString(16).padStart(2 * length, '0')
  return hex.length > 2 * length ? undefined : decodeHex(hex)
}

/** RFC 8017 §5.2.2. A signature that is not below the modulus would be a second one for the same message. */
const openRsa = ({ modulus, exponent }: RsaKey, signature: Uint8Array): Uint8Array | undefined => {
  const length = Math.ceil(modulus.toString(2).length / 8)
  const value = BigInt(`0x${encodeHex(signature)}`)
  if (signature.length !== length || value >= modulus) return undefined
  let result = 1n
  for (let square = value, rest = exponent; rest > 0n; rest >>= 1n, square = (square * square) % modulus)
    if ((rest & 1n) === 1n) result = (result * square) % modulus
  return toBytes(result, length)
}

/** RFC 8017 §9.2. Compared as a whole: what follows a structure that is read could be anything. */
const pkcs1Of = (
  digest: Uint8Array,
  { hash, length }: { readonly hash: HashAlgorithm; readonly length: number },
): Uint8Array => {
  const algorithm = encodeDer(tags.sequence, encodeDer(tags.oid, decodeHex(hash.oid)), encodeDer(tags.null))
  const info = encodeDer(tags.sequence, algorithm, encodeDer(tags.octetString, digest))
  const filling = new Uint8Array(length - info.length - 3).fill(0xff)
  return concatBytes(Uint8Array.of(0x00, 0x01), filling, Uint8Array.of(0x00), info)
}

/** RFC 8017 §9.1.2, for a modulus of `bits` + 1 bits. */
const isPss = (
  encoded: Uint8Array,
  {
    digest,
    hash,
    saltBytes,
    bits,
  }: {
    readonly digest: Uint8Array
    readonly hash: HashAlgorithm
    readonly saltBytes: number
    readonly bits: number
  },
): boolean => {
  const length = Math.ceil(bits / 8)
  const block = encoded.subarray(encoded.length - length)
  const maskedBytes = length - digest.length - 1
  if (encoded.length > length && encoded[0] !== 0) return false
  const masked = block.subarray(0, maskedBytes)
  const seed = block.subarray(maskedBytes, maskedBytes + digest.length)
  const unusedBits = 8 * length - bits
  const firstOctet = 0xff >> unusedBits
  if (block.at(-1) !== 0xbc || ((masked[0] ?? 0) & ~firstOctet) !== 0) return false
  const mask = maskOf(seed, { hash, length: maskedBytes })
  const opened = masked.map((octet, at) => octet ^ (mask[at] ?? 0))
  opened[0] = (opened[0] ?? 0) & firstOctet
  const saltStart = maskedBytes - saltBytes
  const isFilled =
    opened.subarray(0, saltStart - 1).every((octet) => octet === 0) && opened[saltStart - 1] === 1
  return (
    isFilled &&
    equalBytes(hash.digest(concatBytes(new Uint8Array(8), digest, opened.subarray(saltStart))), seed)
  )
}

/** MGF1, RFC 8017 §B.2.1. */
const maskOf = (
  seed: Uint8Array,
  { hash, length }: { readonly hash: HashAlgorithm; readonly length: number },
): Uint8Array => {
  const blocks = Array.from({ length: Math.ceil(length / seed.length) }, (_, count) =>
    hash.digest(concatBytes(seed, Uint8Array.of(0, 0, 0, count))),
  )
  return concatBytes(...blocks).subarray(0, length)
}
