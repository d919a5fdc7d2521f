import { equalBytes } from '../encoding/bytes.ts'
import {
  type HashAlgorithm,
  readHash,
  readSignatureAlgorithm,
  type SignatureAlgorithm,
} from './algorithms.ts'
import { assertOrder, context, type DerValue, readDer, tags } from './der.ts'
import { type Fields, oid, oidOf, onlyField, openFields, smallOf } from './fields.ts'
import { StampRefused } from './stamp-refused.ts'

/** A SignedData of RFC 5652 with one signer. Nothing in it is verified. */
export type SignedData = {
  readonly version: number
  /** The object identifier of what is signed. */
  readonly type: string
  /** Undefined if it is elsewhere. */
  readonly content: Uint8Array | undefined
  readonly certificates: readonly DerValue[]
  readonly signer: Signer
}

export type Signer = {
  readonly issuer: Uint8Array
  readonly serial: Uint8Array
  readonly algorithm: SignatureAlgorithm & { readonly hash: HashAlgorithm }
  readonly signature: Uint8Array
  /** What is signed, and the values of it by their object identifiers. */
  readonly signed: Uint8Array
  readonly attributes: ReadonlyMap<string, DerValue>
  /** The values that nothing signs. */
  readonly unsigned: ReadonlyMap<string, DerValue>
}

const names = {
  signedData: oid('1.2.840.113549.1.7.2'),
  contentType: oid('1.2.840.113549.1.9.3'),
  messageDigest: oid('1.2.840.113549.1.9.4'),
}

const what = 'signature'

/** The fields of SignedData. */
const openSignedData = (bytes: Uint8Array): Fields => {
  const content = openFields(readDer(bytes), what)
  if (oidOf(content.take(tags.oid)) !== names.signedData) throw new StampRefused('This is not a time stamp')
  const signedData = onlyField(content.take(context(0)), what, { of: context(0), is: tags.sequence })
  content.end()
  return openFields(signedData, what)
}

/** Throws `StampRefused` unless it is complete, in DER and signed by exactly one signer. */
export const readSignedData = (bytes: Uint8Array): SignedData => {
  const fields = openSignedData(bytes)
  const version = smallOf(fields.take(tags.integer), what)
  const hash = readHash(onlyField(fields.take(tags.set), what, { of: tags.set, is: tags.sequence }))
  const inside = openFields(fields.take(tags.sequence), what)
  const type = oidOf(inside.take(tags.oid))
  const wrapped = inside.takeIf(context(0))
  inside.end()
  const content = wrapped && onlyField(wrapped, what, { of: context(0), is: tags.octetString }).content
  const certificates = fields.takeIf(context(0))?.parts ?? []
  assertOrder(certificates)
  if (fields.takeIf(context(1)) !== undefined)
    throw new StampRefused('The time stamp contains lists of revoked certificates, which nothing signs')
  const signers = fields.take(tags.set).parts
  fields.end()
  const [first, ...others] = signers
  if (first === undefined || others.length > 0)
    throw new StampRefused(`The time stamp has ${signers.length} signers instead of one`)
  const signer = readSigner(first)
  if (signer.algorithm.hash !== hash) throw new StampRefused('The time stamp names two hashes')
  return { version, type, content, certificates, signer }
}

const readSigner = (value: DerValue): Signer => {
  const fields = openFields(value, what)
  if (smallOf(fields.take(tags.integer), what) !== 1)
    throw new StampRefused('The signer of the time stamp has an unknown version')
  const name = openFields(fields.take(tags.sequence), what)
  const issuer = name.take(tags.sequence).bytes
  const serial = name.take(tags.integer).content
  name.end()
  const hash = readHash(fields.take(tags.sequence))
  const attributes = fields.take(context(0))
  const algorithm = readSignatureAlgorithm(fields.take(tags.sequence))
  const signature = fields.take(tags.octetString).content
  const unsigned = fields.takeIf(context(1))
  if (unsigned?.parts.length === 0) throw new StampRefused('The time stamp has attributes that nothing signs')
  fields.end()
  if (algorithm.hash !== undefined && algorithm.hash !== hash)
    throw new StampRefused('The time stamp names two hashes')
  // RFC 5652 §5.4: signed as a set, and stored under the tag of its field.
  const signed = Uint8Array.from(attributes.bytes)
  signed[0] = tags.set
  return {
    issuer,
    serial,
    algorithm: { ...algorithm, hash },
    signature,
    signed,
    attributes: readAttributes(attributes.parts),
    unsigned: readAttributes(unsigned?.parts ?? []),
  }
}

/** Each attribute has one value here. RFC 5652 §11 demands that of those that are read. */
const readAttributes = (parts: readonly DerValue[]): ReadonlyMap<string, DerValue> => {
  assertOrder(parts)
  const found = new Map<string, DerValue>()
  for (const part of parts) {
    const fields = openFields(part, what)
    const name = oidOf(fields.take(tags.oid))
    const [value, ...more] = fields.take(tags.set).parts
    fields.end()
    if (value === undefined || more.length > 0 || found.has(name))
      throw new StampRefused('The time stamp has an attribute with several values')
    found.set(name, value)
  }
  return found
}

/** Throws unless the signed attributes are about this content. RFC 5652 §11.1 and §11.2. */
export const assertAbout = (
  { attributes, algorithm }: Signer,
  { type, digest }: { readonly type: string; readonly digest: (hash: HashAlgorithm) => Uint8Array },
): void => {
  const given = attributes.get(names.contentType)
  const named = attributes.get(names.messageDigest)
  if (given?.tag !== tags.oid || oidOf(given) !== type || named?.tag !== tags.octetString)
    throw new StampRefused('The signature of the time stamp is about something else')
  if (!equalBytes(named.content, digest(algorithm.hash)))
    throw new StampRefused('The time stamp was altered after it was signed')
}
