import { createHash } from 'node:crypto'
import { encodeBase58 } from '../../../proof/src/encoding/base58.ts'
import { encodeHex } from '../../../proof/src/encoding/hex.ts'
import { canonicalLedgerText } from '../../../proof/src/ledger/canonical.ts'
import { decodeBase58 } from '../../../proof/src/encoding/base58.ts'
import { ownerOf } from '../../../proof/src/ledger/owners.fixture.ts'
import type { SignedTransaction } from '../../../proof/src/ledger/transaction.ts'

const order = 2n ** 252n + 27_742_317_777_372_353_535_851_937_790_883_648_493n
const seed = 5
const honest = ownerOf(seed)

const littleEndian = (bytes: Uint8Array): bigint =>
  BigInt(`0x${encodeHex(Uint8Array.from(bytes).toReversed())}`)
const bytesOf = (value: bigint): Uint8Array =>
  Uint8Array.from(Buffer.from(value.toString(16).padStart(64, '0'), 'hex')).toReversed()
const sha512 = (...parts: readonly Uint8Array[]): Buffer =>
  createHash('sha512').update(Buffer.concat(parts)).digest()

/** The points with y = 1 (the neutral element, also as p + 1) and the base point. */
const neutral = bytesOf(1n)
const neutralNotCanonical = bytesOf(2n ** 255n - 18n)
const base = Buffer.from(`58${'66'.repeat(31)}`, 'hex')

/** RFC 8032 §5.1.5. */
const secretScalar = (): bigint => {
  const digest = sha512(Buffer.alloc(32, seed)).subarray(0, 32)
  digest.writeUInt8(digest.readUInt8(0) & 248, 0)
  digest.writeUInt8((digest.readUInt8(31) & 63) | 64, 31)
  return littleEndian(digest)
}

type Forger = { readonly key: Uint8Array; sign(digest: Uint8Array): Uint8Array }
const honestKey = decodeBase58(honest.publicKey)

/** Signatures by their fault. Each satisfies the equation, so a verifier without the check accepts it. */
export const forgers: Readonly<Record<string, Forger>> = {
  'no fault': { key: honestKey, sign: honest.sign },
  'a key of small order': { key: neutral, sign: () => Buffer.concat([base, bytesOf(1n)]) },
  'a key that is not canonical': {
    key: neutralNotCanonical,
    sign: () => Buffer.concat([base, bytesOf(1n)]),
  },
  'an R of small order': {
    key: honestKey,
    sign: (digest) => {
      const challenge = littleEndian(sha512(neutral, honestKey, digest)) % order
      return Buffer.concat([neutral, bytesOf((challenge * secretScalar()) % order)])
    },
  },
  'an s above the order': {
    key: honestKey,
    sign: (digest) => {
      const signature = honest.sign(digest)
      return Buffer.concat([signature.subarray(0, 32), bytesOf(littleEndian(signature.subarray(32)) + order)])
    },
  },
}

/** A certificate transaction that is complete but for the signature of the forger. */
export const forgeCertificate = (template: SignedTransaction, { key, sign }: Forger): SignedTransaction => {
  const publicKey = encodeBase58(key)
  const owned = structuredClone({ ...template, id: null }) as unknown as {
    id: string | null
    inputs: { owners_before: string[]; fulfillment: string | null }[]
  }
  const [input] = owned.inputs
  if (input === undefined) throw new Error('The template has no input')
  input.owners_before = [publicKey]
  input.fulfillment = null
  const digest = createHash('sha3-256').update(canonicalLedgerText(owned)).digest()
  const der = ['a4648020', encodeHex(key), '8140', encodeHex(sign(digest))].join('')
  input.fulfillment = Buffer.from(der, 'hex').toString('base64url')
  owned.id = createHash('sha3-256').update(canonicalLedgerText(owned)).digest('hex')
  return owned as unknown as SignedTransaction
}
