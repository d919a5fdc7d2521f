import { sha256, sha384, sha512 } from '@noble/hashes/sha2.js'
import { context, type DerValue, tags } from './der.ts'
import { type Fields, oid, oidOf, onlyField, openFields, smallOf } from './fields.ts'
import { StampRefused } from './stamp-refused.ts'

export type HashAlgorithm = {
  readonly name: 'SHA-256' | 'SHA-384' | 'SHA-512'
  readonly digest: (bytes: Uint8Array) => Uint8Array
  /** The content of its object identifier. */
  readonly oid: string
}

export const sha2: readonly HashAlgorithm[] = [
  { name: 'SHA-256', digest: sha256, oid: oid('2.16.840.1.101.3.4.2.1') },
  { name: 'SHA-384', digest: sha384, oid: oid('2.16.840.1.101.3.4.2.2') },
  { name: 'SHA-512', digest: sha512, oid: oid('2.16.840.1.101.3.4.2.3') },
]

export type SignatureAlgorithm = {
  readonly kind: 'pkcs1' | 'pss' | 'ecdsa'
  /** Undefined if the place that names the algorithm has its hash elsewhere. */
  readonly hash: HashAlgorithm | undefined
  /** Of RSASSA-PSS. */
  readonly saltBytes: number
}

const rsaEncryption = oid('1.2.840.113549.1.1.1')
const rsaPss = oid('1.2.840.113549.1.1.10')
const maskGeneration1 = oid('1.2.840.113549.1.1.8')
const withHash: Readonly<Partial<Record<string, readonly ['pkcs1' | 'ecdsa', HashAlgorithm['name']]>>> = {
  [oid('1.2.840.113549.1.1.11')]: ['pkcs1', 'SHA-256'],
  [oid('1.2.840.113549.1.1.12')]: ['pkcs1', 'SHA-384'],
  [oid('1.2.840.113549.1.1.13')]: ['pkcs1', 'SHA-512'],
  [oid('1.2.840.10045.4.3.2')]: ['ecdsa', 'SHA-256'],
  [oid('1.2.840.10045.4.3.3')]: ['ecdsa', 'SHA-384'],
  [oid('1.2.840.10045.4.3.4')]: ['ecdsa', 'SHA-512'],
}

/** An AlgorithmIdentifier of SHA-2, with the parameters that RFC 5754 §2 allows: none, or NULL. */
export const readHash = (value: DerValue): HashAlgorithm => {
  const fields = openFields(value, 'hash algorithm')
  const name = oidOf(fields.take(tags.oid))
  fields.takeIf(tags.null)
  fields.end()
  const found = sha2.find((one) => one.oid === name)
  if (found === undefined)
    throw new StampRefused('The time stamp uses a hash other than SHA-256, SHA-384 and SHA-512')
  return found
}

export const readSignatureAlgorithm = (value: DerValue): SignatureAlgorithm => {
  const fields = openFields(value, 'signature algorithm')
  const name = oidOf(fields.take(tags.oid))
  if (name === rsaPss) return readPss(fields)
  const known = withHash[name]
  if (known === undefined && name !== rsaEncryption)
    throw new StampRefused('The time stamp is signed with an algorithm other than RSA and ECDSA with SHA-2')
  const [kind, hash] = known ?? ['pkcs1', undefined]
  // RFC 3279 §2.2 and RFC 5758 §3.2: NULL for RSA, nothing for ECDSA.
  if (kind === 'pkcs1') fields.take(tags.null)
  fields.end()
  return { kind, hash: sha2.find((one) => one.name === hash), saltBytes: 0 }
}

/** RFC 4055 §3.1. The defaults, which are SHA-1, are not allowed, so hash, mask and length of the salt are always there. */
const readPss = (algorithm: Fields): SignatureAlgorithm => {
  const what = 'signature algorithm'
  const parameters = openFields(algorithm.take(tags.sequence), what)
  algorithm.end()
  const inner = (number: number, is: number): DerValue =>
    onlyField(parameters.take(context(number)), what, { of: context(number), is })
  const hash = readHash(inner(0, tags.sequence))
  const mask = openFields(inner(1, tags.sequence), what)
  const isMask = oidOf(mask.take(tags.oid)) === maskGeneration1
  const maskHash = readHash(mask.take(tags.sequence))
  mask.end()
  const saltBytes = smallOf(inner(2, tags.integer), what)
  parameters.end()
  if (!isMask || maskHash !== hash || saltBytes > 64)
    throw new StampRefused('The time stamp is signed with RSASSA-PSS of two hashes')
  return { kind: 'pss', hash, saltBytes }
}
