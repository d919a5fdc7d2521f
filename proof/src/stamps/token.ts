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
import { readStampInfo, type StampInfo } from './stamp-info.ts'

/** A time stamp token: RFC 3161 §2.4.2 in a SignedData of RFC 5652. Nothing in it is verified. */
export type Token = {
  readonly info: StampInfo
  readonly certificates: readonly DerValue[]
  readonly signer: {
    readonly issuer: Uint8Array
    readonly serial: Uint8Array
    readonly algorithm: SignatureAlgorithm & { readonly hash: HashAlgorithm }
    readonly signature: Uint8Array
    /** What is signed, and the values of it by their object identifiers. */
    readonly signed: Uint8Array
    readonly attributes: ReadonlyMap<string, DerValue>
  }
}

const names = {
  signedData: oid('1.2.840.113549.1.7.2'),
  stampInfo: oid('1.2.840.113549.1.9.16.1.4'),
  contentType: oid('1.2.840.113549.1.9.3'),
  messageDigest: oid('1.2.840.113549.1.9.4'),
}

const what = 'signature'
const largestBytes = 16_384

/** The fields of SignedData. */
const openToken = (bytes: Uint8Array): Fields => {
  if (bytes.length > largestBytes)
    throw new StampRefused(`The time stamp has more than ${largestBytes} bytes`)
  const content = openFields(readDer(bytes), what)
  if (oidOf(content.take(tags.oid)) !== names.signedData) throw new StampRefused('This is not a time stamp')
  const signedData = onlyField(content.take(context(0)), what, { of: context(0), is: tags.sequence })
  content.end()
  return openFields(signedData, what)
}

/** Throws `StampRefused` unless it is complete, in DER and signed by exactly one signer. */
export const readToken = (bytes: Uint8Array): Token => {
  const fields = openToken(bytes)
  if (smallOf(fields.take(tags.integer), what) !== 3)
    throw new StampRefused('The time stamp has an unknown version')
  const hash = readHash(onlyField(fields.take(tags.set), what, { of: tags.set, is: tags.sequence }))
  const content = openFields(fields.take(tags.sequence), what)
  if (oidOf(content.take(tags.oid)) !== names.stampInfo) throw new StampRefused('This is not a time stamp')
  const { content: info } = onlyField(content.take(context(0)), what, {
    of: context(0),
    is: tags.octetString,
  })
  content.end()
  const certificates = fields.takeIf(context(0))?.parts ?? []
  assertOrder(certificates)
  if (fields.takeIf(context(1)) !== undefined)
    throw new StampRefused('The time stamp contains lists of revoked certificates, which nothing signs')
  const signers = fields.take(tags.set).parts
  fields.end()
  const [signer, ...others] = signers
  if (signer === undefined || others.length > 0)
    throw new StampRefused(`The time stamp has ${signers.length} signers instead of one`)
  const read = readSigner(signer)
  if (read.algorithm.hash !== hash) throw new StampRefused('The time stamp names two hashes')
  assertAbout(info, read)
  return { info: readStampInfo(info), certificates, signer: read }
}

const readSigner = (value: DerValue): Token['signer'] => {
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
  if (fields.takeIf(context(1)) !== undefined)
    throw new StampRefused('The time stamp has attributes that nothing signs')
  fields.end()
  if (algorithm.hash !== undefined && algorithm.hash !== hash)
    throw new StampRefused('The time stamp names two hashes')
  assertOrder(attributes.parts)
  // RFC 5652 §5.4: signed as a set, and stored under the tag of its field.
  const signed = Uint8Array.from(attributes.bytes)
  signed[0] = tags.set
  return {
    issuer,
    serial,
    algorithm: { ...algorithm, hash },
    signature,
    signed,
    attributes: readAttributes(attributes),
  }
}

/** Each attribute has one value here. RFC 5652 §11 demands that of those that are read. */
const readAttributes = ({ parts }: DerValue): ReadonlyMap<string, DerValue> => {
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

const assertAbout = (info: Uint8Array, { attributes, algorithm }: Token['signer']): void => {
  const type = attributes.get(names.contentType)
  const digest = attributes.get(names.messageDigest)
  if (type?.tag !== tags.oid || oidOf(type) !== names.stampInfo || digest?.tag !== tags.octetString)
    throw new StampRefused('The signature of the time stamp is about something else')
  if (!equalBytes(digest.content, algorithm.hash.digest(info)))
    throw new StampRefused('The time stamp was altered after it was signed')
}
