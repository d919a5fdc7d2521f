import { p256, p384 } from '@noble/curves/nist.js'
import { type DerValue, readDer, tags } from './der.ts'
import { oid, oidOf, openFields, unsignedOf, wholeBytesOf } from './fields.ts'
import { StampRefused } from './stamp-refused.ts'

export type RsaKey = { readonly modulus: bigint; readonly exponent: bigint }
export type EcKey = { readonly curve: typeof p256; readonly point: Uint8Array }
export type PublicKey = RsaKey | EcKey

const rsaEncryption = oid('1.2.840.113549.1.1.1')
const ecPublicKey = oid('1.2.840.10045.2.1')
const curves: Readonly<Partial<Record<string, typeof p256>>> = {
  [oid('1.2.840.10045.3.1.7')]: p256,
  [oid('1.3.132.0.34')]: p384,
}

/** A SubjectPublicKeyInfo: RSA of 2048 to 4096 bits, or a point of P-256 or P-384 that is not compressed. */
export const readPublicKey = (value: DerValue): PublicKey => {
  const what = 'public key'
  const fields = openFields(value, what)
  const algorithm = openFields(fields.take(tags.sequence), what)
  const key = wholeBytesOf(fields.take(tags.bitString), what)
  fields.end()
  const kind = oidOf(algorithm.take(tags.oid))
  if (kind === rsaEncryption) {
    algorithm.take(tags.null)
    algorithm.end()
    return readRsa(key)
  }
  const curve = kind === ecPublicKey ? curves[oidOf(algorithm.take(tags.oid))] : undefined
  algorithm.end()
  if (curve === undefined) throw new StampRefused('The time stamp has a key other than RSA, P-256 and P-384')
  if (key[0] !== 0x04 || !curve.utils.isValidPublicKey(key, false))
    throw new StampRefused(`The time stamp has an unusable ${what}`)
  return { curve, point: key }
}

const readRsa = (bytes: Uint8Array): RsaKey => {
  const fields = openFields(readDer(bytes), 'public key')
  const modulus = unsignedOf(fields.take(tags.integer), 'public key')
  const exponent = unsignedOf(fields.take(tags.integer), 'public key')
  fields.end()
  const bits = modulus.toString(2).length
  const isUsable =
    bits >= 2_048 && bits <= 4_096 && exponent % 2n === 1n && exponent >= 65_537n && exponent < 1n << 32n
  if (!isUsable)
    throw new StampRefused(
      'The time stamp has an RSA key that is not of 2048 to 4096 bits with a usual exponent',
    )
  return { modulus, exponent }
}
