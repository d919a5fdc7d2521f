import { createHash, generateKeyPairSync, type KeyObject, constants, sign } from 'node:crypto'
import { encodeDer } from '../src/ledger/der.ts'
import type { JsonValue } from '../src/json/read.ts'
import { splitNote } from '../src/log/note.ts'
import { parseTlogProof } from '../src/log/tlog-proof.ts'
import { writeStamp } from '../src/stamps/bundled-stamp.ts'
import { readDer } from '../src/stamps/der.ts'

/** For tests: an authority for time stamps that can make every mistake. */

type HashName = 'sha256' | 'sha384' | 'sha512'
export type AuthorityKey = {
  readonly kind: 'rsa' | 'pss' | 'ec'
  readonly hash: HashName
  readonly privateKey: KeyObject
  readonly publicKey: Uint8Array
}

export type TestCertificate = {
  readonly bytes: Uint8Array
  readonly subject: string
  readonly issuer: string
  readonly serial: number
  readonly key: AuthorityKey
}

const hex = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'hex'))
const latin = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'latin1'))

export const oidOfName = {
  sha1: '2b0e03021a',
  sha256: '608648016503040201',
  sha384: '608648016503040202',
  sha512: '608648016503040203',
  timeStamping: '2b06010505070308',
  codeSigning: '2b06010505070303',
  stampInfo: '2a864886f70d0109100104',
}
const rsa = (last: string): string => `2a864886f70d0101${last}`

export const seq = (...parts: readonly Uint8Array[]): Uint8Array => encodeDer(0x30, ...parts)
export const set = (...parts: readonly Uint8Array[]): Uint8Array =>
  encodeDer(0x31, ...parts.toSorted((one, other) => Buffer.compare(one, other)))
export const oid = (name: string): Uint8Array => encodeDer(0x06, hex(name))
export const integer = (...octets: readonly number[]): Uint8Array => encodeDer(0x02, Uint8Array.from(octets))
export const octets = (content: Uint8Array): Uint8Array => encodeDer(0x04, content)
const nothing = hex('0500')
const yes = hex('0101ff')
export const hashAlgorithm = (name: keyof typeof oidOfName): Uint8Array => seq(oid(oidOfName[name]), nothing)

/** Of time stamps: RSA with PKCS #1 or PSS, or a curve. */
export const createAuthorityKey = (
  kind: 'rsa' | 'pss' | 'P-256' | 'P-384',
  hash: HashName = 'sha256',
): AuthorityKey => {
  const isRsa = kind === 'rsa' || kind === 'pss'
  const { privateKey, publicKey } = isRsa
    ? generateKeyPairSync('rsa', { modulusLength: 2_048 })
    : generateKeyPairSync('ec', { namedCurve: kind })
  const spki = publicKey.export({ type: 'spki', format: 'der' })
  return { kind: isRsa ? kind : 'ec', hash, privateKey, publicKey: Uint8Array.from(spki) }
}

const signatureAlgorithm = ({ kind, hash }: AuthorityKey): Uint8Array => {
  if (kind === 'rsa') return seq(oid(rsa({ sha256: '0b', sha384: '0c', sha512: '0d' }[hash])), nothing)
  if (kind === 'ec')
    return seq(
      oid({ sha256: '2a8648ce3d040302', sha384: '2a8648ce3d040303', sha512: '2a8648ce3d040304' }[hash]),
    )
  const parameters = [
    encodeDer(0xa0, hashAlgorithm(hash)),
    encodeDer(0xa1, seq(oid(rsa('08')), hashAlgorithm(hash))),
    encodeDer(0xa2, integer(saltBytes(hash))),
  ]
  return seq(oid(rsa('0a')), seq(...parameters))
}

const saltBytes = (hash: HashName): number => Number(hash.slice(3)) / 8

const signatureOf = ({ kind, hash, privateKey }: AuthorityKey, message: Uint8Array): Uint8Array => {
  const padding = kind === 'pss' ? constants.RSA_PKCS1_PSS_PADDING : constants.RSA_PKCS1_PADDING
  const key = kind === 'ec' ? privateKey : { key: privateKey, padding, saltLength: saltBytes(hash) }
  return Uint8Array.from(sign(hash, message, key))
}

const nameOf = (name: string): Uint8Array => seq(set(seq(oid('550403'), encodeDer(0x0c, latin(name)))))

export const extension = (name: string, value: Uint8Array, isCritical = false): Uint8Array =>
  seq(oid(name), ...(isCritical ? [yes] : []), octets(value))

export const extensions = {
  forStamps: extension('551d25', seq(oid(oidOfName.timeStamping)), true),
  authority: extension('551d13', seq(yes), true),
  authorityOfPath: (length: number) => extension('551d13', seq(yes, integer(length)), true),
  usage: (octet: number) => extension('551d0f', encodeDer(0x03, Uint8Array.of(0, octet)), true),
}

const utcTime = (iso: string): Uint8Array =>
  encodeDer(0x17, latin(`${iso.slice(2, 19).replaceAll(/[-:T]/g, '')}Z`))
const generalizedTime = (iso: string): Uint8Array => encodeDer(0x18, latin(iso.replaceAll(/[-:T]/g, '')))

let serials = 0

/** Signed by `by`, or by itself. */
export const certify = ({
  subject,
  by,
  key = createAuthorityKey('P-256'),
  from = '2020-01-01T00:00:00Z',
  to = '2045-01-01T00:00:00Z',
  more = [extensions.forStamps],
}: {
  readonly subject: string
  readonly by?: TestCertificate | undefined
  readonly key?: AuthorityKey
  readonly from?: string
  readonly to?: string
  readonly more?: readonly Uint8Array[]
}): TestCertificate => {
  serials += 1
  const issuer = by?.subject ?? subject
  const signer = by?.key ?? key
  const signed = seq(
    encodeDer(0xa0, integer(2)),
    integer(serials),
    signatureAlgorithm(signer),
    nameOf(issuer),
    seq(utcTime(from), utcTime(to)),
    nameOf(subject),
    key.publicKey,
    ...(more.length === 0 ? [] : [encodeDer(0xa3, seq(...more))]),
  )
  const bits = encodeDer(0x03, Uint8Array.of(0), signatureOf(signer, signed))
  return { bytes: seq(signed, signatureAlgorithm(signer), bits), subject, issuer, serial: serials, key }
}

export type TokenPlan = {
  readonly sha256: Uint8Array
  readonly signer: TestCertificate
  /** Those in the token, in this order. The signer alone if not given. */
  readonly certificates?: readonly Uint8Array[]
  /** Digits and fraction as in GeneralizedTime, but readable. */
  readonly time?: string
  /** Fields between the time and the end of TSTInfo. */
  readonly accuracy?: Uint8Array
  readonly nonce?: Uint8Array
  readonly infoEnd?: readonly Uint8Array[]
  readonly imprintHash?: keyof typeof oidOfName
  /** The certificate that the signed attributes name. */
  readonly named?: TestCertificate | undefined
  readonly namedHash?: readonly Uint8Array[]
  readonly signedAgain?: boolean
  readonly unsigned?: readonly Uint8Array[]
  readonly lists?: readonly Uint8Array[]
}

const digestOf = (hash: string, bytes: Uint8Array): Uint8Array =>
  Uint8Array.from(createHash(hash).update(bytes).digest())

/** The ContentInfo in DER. */
export const makeToken = (plan: TokenPlan): Uint8Array => {
  const {
    sha256,
    signer,
    certificates = [signer.bytes],
    time = '2026-11-29T12:00:00Z',
    infoEnd = [],
    lists = [],
  } = plan
  const info = seq(
    integer(1),
    oid('2b06010401868d1f01'),
    seq(hashAlgorithm(plan.imprintHash ?? 'sha256'), octets(sha256)),
    integer(7),
    generalizedTime(time),
    ...(plan.accuracy === undefined ? [] : [plan.accuracy]),
    ...(plan.nonce === undefined ? [] : [encodeDer(0x02, plan.nonce)]),
    ...infoEnd,
  )
  const one = signerInfo(plan, info)
  const signers =
    plan.signedAgain === true
      ? [one, signerInfo({ ...plan, signer: { ...signer, serial: 99 } }, info)]
      : [one]
  const signedData = seq(
    integer(3),
    set(hashAlgorithm(signer.key.hash)),
    seq(oid(oidOfName.stampInfo), encodeDer(0xa0, octets(info))),
    encodeDer(0xa0, ...certificates),
    ...lists,
    set(...signers),
  )
  return seq(oid('2a864886f70d010702'), encodeDer(0xa0, signedData))
}

const signerInfo = (plan: TokenPlan, info: Uint8Array): Uint8Array => {
  const { signer, named = signer, namedHash = [], unsigned = [] } = plan
  const { hash } = signer.key
  const reference = seq(...namedHash, octets(digestOf('sha256', named.bytes)))
  const attributes = set(
    seq(oid('2a864886f70d010903'), set(oid(oidOfName.stampInfo))),
    seq(oid('2a864886f70d010904'), set(octets(digestOf(hash, info)))),
    seq(oid('2a864886f70d010910022f'), set(seq(seq(reference)))),
  )
  const stored = Uint8Array.from(attributes)
  stored[0] = 0xa0
  return seq(
    integer(1),
    seq(nameOf(signer.issuer), integer(signer.serial)),
    hashAlgorithm(hash),
    stored,
    signatureAlgorithm(signer.key),
    octets(signatureOf(signer.key, attributes)),
    ...(unsigned.length === 0 ? [] : [encodeDer(0xa1, ...unsigned)]),
  )
}

/** What an authority answers. */
export const makeResponse = (token: Uint8Array): Uint8Array => seq(seq(integer(0)), token)

/** What this authority answers to a TimeStampReq. */
export const answerTo = (request: Uint8Array, plan: Omit<TokenPlan, 'sha256' | 'nonce'>): Uint8Array => {
  const [, imprint, nonce] = readDer(request).parts
  const sha256 = imprint?.parts[1]?.content ?? new Uint8Array()
  return makeResponse(makeToken({ ...plan, sha256, nonce: nonce?.content ?? new Uint8Array() }))
}

/** A member of `stamps`: the checkpoint of this bundle, stamped. */
export const stampOf = (
  { proof }: { readonly [name: string]: JsonValue },
  plan: Omit<TokenPlan, 'sha256'>,
) => {
  if (typeof proof !== 'string') throw new Error('The bundle has no proof')
  const { path, checkpoint } = parseTlogProof(proof)
  const sha256 = digestOf('sha256', new TextEncoder().encode(splitNote(checkpoint).text))
  return writeStamp({ kind: 'rfc3161', checkpoint, path, token: makeToken({ ...plan, sha256 }) })
}
