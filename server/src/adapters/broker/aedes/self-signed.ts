import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { isIP } from 'node:net'

/** The few forms of DER (X.690) that a certificate is made of. */
const der = (tag: number, ...parts: readonly Uint8Array[]): Buffer => {
  const body = Buffer.concat(parts)
  const { length } = body
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), body])
}
const sequence = (...parts: readonly Uint8Array[]): Buffer => der(0x30, ...parts)
const set = (...parts: readonly Uint8Array[]): Buffer => der(0x31, ...parts)
const objectId = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'))
const text = (value: string): Buffer => der(0x0c, Buffer.from(value, 'utf8'))
const integer = (bytes: Uint8Array): Buffer => der(0x02, bytes)
const bits = (bytes: Uint8Array): Buffer => der(0x03, Buffer.from([0]), bytes)
const octets = (...parts: readonly Uint8Array[]): Buffer => der(0x04, ...parts)
const yes = Buffer.from([0x01, 0x01, 0xff])
/** RFC 5280 §4.1.2.5: two digits of the year until 2049. */
const time = (at: Date): Buffer => {
  const digits = at.toISOString().replaceAll(/[-:T]|\.\d+/g, '')
  return at.getUTCFullYear() < 2_050
    ? der(0x17, Buffer.from(digits.slice(2)))
    : der(0x18, Buffer.from(digits))
}

const ecdsaWithSha256 = sequence(objectId('2a8648ce3d040302'))
const commonName = objectId('550403')
const subjectAltName = objectId('551d11')
const basicConstraints = objectId('551d13')
const extendedKeyUsage = objectId('551d25')
const serverAuth = objectId('2b06010505070301')

const years = 10

/** For a server that was given none: encryption, without a third party to vouch for who answers. RFC 5280 §4.1. */
export const makeSelfSigned = (
  names: readonly string[],
  now: Date,
): { readonly key: string; readonly certificate: string } => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const until = new Date(now)
  until.setUTCFullYear(until.getUTCFullYear() + years)
  const issuer = sequence(set(sequence(commonName, text('Millseal'))))
  const content = sequence(
    der(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([0x01]), randomBytes(15)])),
    ecdsaWithSha256,
    issuer,
    sequence(time(now), time(until)),
    issuer,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensions(names))),
  )
  return {
    key: pem(privateKey),
    certificate: armour(sequence(content, ecdsaWithSha256, bits(sign('sha256', content, privateKey)))),
  }
}

const extensions = (names: readonly string[]): Buffer[] => [
  sequence(basicConstraints, yes, octets(sequence())),
  sequence(extendedKeyUsage, octets(sequence(serverAuth))),
  sequence(subjectAltName, octets(sequence(...names.map(alternativeName)))),
]

/** RFC 5280 §4.2.1.6: a DNS name, or the bytes of an address. */
const alternativeName = (name: string): Buffer =>
  isIP(name) === 4
    ? der(0x87, Buffer.from(name.split('.').map(Number)))
    : der(0x82, Buffer.from(name, 'ascii'))

const pem = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }).toString()

const armour = (bytes: Buffer): string =>
  `-----BEGIN CERTIFICATE-----\n${(bytes.toString('base64').match(/.{1,64}/g) ?? []).join('\n')}\n-----END CERTIFICATE-----\n`
