import { equalBytes } from '../encoding/bytes.ts'
import { encodeHex } from '../encoding/hex.ts'
import { readSignatureAlgorithm } from './algorithms.ts'
import { context, type DerValue, readDer, tags } from './der.ts'
import { oid, oidOf, onlyField, openFields, smallOf, wholeBytesOf } from './fields.ts'
import { type PublicKey, readPublicKey } from './public-key.ts'
import { isSignedBy } from './signature.ts'
import { StampRefused } from './stamp-refused.ts'
import { readValidityTime } from './times.ts'

/** RFC 5280, as far as an authority for time stamps needs it. */
export type Certificate = {
  readonly bytes: Uint8Array
  readonly serial: Uint8Array
  /** Names are compared as bytes. */
  readonly issuer: Uint8Array
  readonly subject: Uint8Array
  readonly notBeforeMs: number
  readonly notAfterMs: number
  readonly key: PublicKey
  /** Undefined unless it is that of a certification authority. */
  readonly mayIssue: { readonly longestPath: number } | undefined
  /** Undefined if the certificate does not limit it. */
  readonly keyUsage: { readonly signs: boolean; readonly signsCertificates: boolean } | undefined
  readonly purposes: { readonly isCritical: boolean; readonly oids: readonly string[] } | undefined
  isSignedBy(issuer: Certificate): boolean
}

const what = 'certificate'
const unusable = (): StampRefused => new StampRefused(`The time stamp has an unusable ${what}`)

export const readCertificate = (bytes: Uint8Array): Certificate => {
  const fields = openFields(readDer(bytes), what)
  const signed = fields.take(tags.sequence)
  const outerAlgorithm = fields.take(tags.sequence)
  const signature = wholeBytesOf(fields.take(tags.bitString), what)
  fields.end()
  const { algorithm, ...facts } = readSigned(signed)
  if (!equalBytes(algorithm.bytes, outerAlgorithm.bytes)) throw unusable()
  return {
    bytes,
    ...facts,
    isSignedBy({ key }) {
      const { hash, ...how } = readSignatureAlgorithm(algorithm)
      if (hash === undefined) throw unusable()
      return isSignedBy({ key, algorithm: { ...how, hash }, message: signed.bytes, signature })
    },
  }
}

const readSigned = (signed: DerValue) => {
  const fields = openFields(signed, what)
  const version = fields.takeIf(context(0))
  // Of version 1 are old roots. They have no extensions.
  if (
    version !== undefined &&
    smallOf(onlyField(version, what, { of: context(0), is: tags.integer }), what) !== 2
  )
    throw unusable()
  const serial = fields.take(tags.integer)
  const algorithm = fields.take(tags.sequence)
  const issuer = fields.take(tags.sequence)
  const validity = fields.take(tags.sequence)
  const [notBefore, notAfter, ...more] = validity.parts
  const subject = fields.take(tags.sequence)
  const key = fields.take(tags.sequence)
  const extensions = fields.takeIf(context(3))
  fields.end()
  if (notBefore === undefined || notAfter === undefined || more.length > 0) throw unusable()
  return {
    algorithm,
    serial: serial.content,
    issuer: issuer.bytes,
    subject: subject.bytes,
    notBeforeMs: readValidityTime(notBefore),
    notAfterMs: readValidityTime(notAfter),
    key: readPublicKey(key),
    ...readExtensions(
      extensions === undefined
        ? []
        : onlyField(extensions, what, { of: context(3), is: tags.sequence }).parts,
    ),
  }
}

const known = { keyUsage: oid('2.5.29.15'), constraints: oid('2.5.29.19'), purposes: oid('2.5.29.37') }

const readExtensions = (extensions: readonly DerValue[]) => {
  const found = new Map<string, { readonly isCritical: boolean; readonly value: Uint8Array }>()
  for (const extension of extensions) {
    const fields = openFields(extension, what)
    const name = oidOf(fields.take(tags.oid))
    const critical = fields.takeIf(tags.boolean)
    const value = fields.take(tags.octetString).content
    fields.end()
    // DER leaves out what is the default, and RFC 5280 §4.2 allows each extension once.
    if (critical?.content[0] === 0 || found.has(name)) throw unusable()
    const isCritical = critical !== undefined
    if (isCritical && !Object.values(known).includes(name))
      throw new StampRefused('The time stamp has a certificate with a critical extension that is unknown')
    found.set(name, { isCritical, value })
  }
  const [usage, constraints, purposes] = [known.keyUsage, known.constraints, known.purposes].map((name) =>
    found.get(name),
  )
  return {
    keyUsage: usage && readKeyUsage(usage.value),
    mayIssue: constraints && readConstraints(constraints.value),
    purposes: purposes && { isCritical: purposes.isCritical, oids: readPurposes(purposes.value) },
  }
}

/** Bits 0 and 1 sign data, bit 5 certificates. RFC 5280 §4.2.1.3. */
const readKeyUsage = (value: Uint8Array) => {
  const bits = readDer(value)
  if (bits.tag !== tags.bitString) throw unusable()
  const octet = bits.content[1] ?? 0
  return { signs: (octet & 0xc0) !== 0, signsCertificates: (octet & 0x04) !== 0 }
}

const readConstraints = (value: Uint8Array): Certificate['mayIssue'] => {
  const fields = openFields(readDer(value), what)
  const isAuthority = fields.takeIf(tags.boolean)
  const path = fields.takeIf(tags.integer)
  fields.end()
  if (isAuthority?.content[0] !== 0xff) return undefined
  return { longestPath: path === undefined ? Number.POSITIVE_INFINITY : smallOf(path, what) }
}

const readPurposes = (value: Uint8Array): readonly string[] =>
  readDer(value).parts.map((purpose) => {
    if (purpose.tag !== tags.oid) throw unusable()
    return oidOf(purpose)
  })

/** Of the name and serial number by which a signature names a certificate. */
export const isNamed = (
  { issuer, serial }: Certificate,
  by: { readonly issuer: Uint8Array; readonly serial: Uint8Array },
) => encodeHex(serial) === encodeHex(by.serial) && equalBytes(issuer, by.issuer)
