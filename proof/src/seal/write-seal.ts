import { compareBytes } from '../encoding/bytes.ts'
import { decodeHex } from '../encoding/hex.ts'
import { encodeDer } from '../ledger/der.ts'
import { sha2 } from '../stamps/algorithms.ts'
import { context, readDer, tags } from '../stamps/der.ts'
import { oid } from '../stamps/fields.ts'
import type { PublicKey } from '../stamps/public-key.ts'
import { type SealCertificates } from './seal-certificates.ts'
import { sealNames } from './verify-seal.ts'

const sequence = (...parts: readonly Uint8Array[]): Uint8Array => encodeDer(tags.sequence, ...parts)
const set = (...parts: readonly Uint8Array[]): Uint8Array =>
  encodeDer(tags.set, ...parts.toSorted(compareBytes))
const named = (name: string): Uint8Array => encodeDer(tags.oid, decodeHex(name))
const one = encodeDer(tags.integer, Uint8Array.of(1))
const sha256 = (): Uint8Array => sequence(named(sha2[0]?.oid ?? ''))

/** What the key of a seal signs with SHA-256: RFC 5652 §5.4, with the attributes of CAdES (ETSI EN 319 122-1). */
export const writeSealAttributes = ({
  digest,
  certificateDigest,
}: {
  /** SHA-256 of the bytes around the hole. */
  readonly digest: Uint8Array
  /** SHA-256 of the certificate of the signer. */
  readonly certificateDigest: Uint8Array
}): Uint8Array =>
  set(
    attribute(oid('1.2.840.113549.1.9.3'), named(sealNames.data)),
    attribute(oid('1.2.840.113549.1.9.4'), encodeDer(tags.octetString, digest)),
    attribute(
      oid('1.2.840.113549.1.9.16.2.47'),
      sequence(sequence(sequence(encodeDer(tags.octetString, certificateDigest)))),
    ),
  )

const attribute = (name: string, value: Uint8Array): Uint8Array => sequence(named(name), set(value))

/** The SignedData for the hole. */
export const writeSeal = ({
  attributes,
  signature,
  certificates,
  token,
}: {
  readonly attributes: Uint8Array
  /** Of the attributes: PKCS #1 v1.5, or a sequence of two integers. */
  readonly signature: Uint8Array
  readonly certificates: SealCertificates
  /** A time stamp of the signature. */
  readonly token: Uint8Array | undefined
}): Uint8Array => {
  const [{ issuer, serial, key }] = certificates
  const signed = Uint8Array.from(attributes)
  signed[0] = context(0)
  const unsigned =
    token === undefined ? [] : [encodeDer(context(1), attribute(sealNames.timeStamp, readDer(token).bytes))]
  const signer = sequence(
    one,
    sequence(issuer, encodeDer(tags.integer, serial)),
    sha256(),
    signed,
    algorithmOf(key),
    encodeDer(tags.octetString, signature),
    ...unsigned,
  )
  const signedData = sequence(
    one,
    set(sha256()),
    sequence(named(sealNames.data)),
    encodeDer(context(0), ...certificates.map(({ bytes }) => bytes).toSorted(compareBytes)),
    set(signer),
  )
  return sequence(named(oid('1.2.840.113549.1.7.2')), encodeDer(context(0), signedData))
}

const algorithmOf = (key: PublicKey): Uint8Array =>
  'curve' in key
    ? sequence(named(oid('1.2.840.10045.4.3.2')))
    : sequence(named(oid('1.2.840.113549.1.1.11')), encodeDer(tags.null))
