import { generateKeyPairSync, randomBytes, sign, X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import { AsnConvert, OctetString } from '@peculiar/asn1-schema'
import {
  AlgorithmIdentifier,
  AttributeTypeAndValue,
  AttributeValue,
  BasicConstraints,
  Certificate,
  ExtendedKeyUsage,
  Extension,
  Extensions,
  GeneralName,
  id_ce_basicConstraints,
  id_ce_extKeyUsage,
  id_ce_subjectAltName,
  id_kp_serverAuth,
  Name,
  RelativeDistinguishedName,
  SubjectAlternativeName,
  SubjectPublicKeyInfo,
  TBSCertificate,
  Validity,
  Version,
} from '@peculiar/asn1-x509'

const years = 10
const commonName = '2.5.4.3'
const ecdsaWithSha256 = new AlgorithmIdentifier({ algorithm: '1.2.840.10045.4.3.2' })

/** For a server without a configured certificate: encryption without proof of who answers. RFC 5280 §4.1. */
export const makeSelfSigned = (
  names: readonly string[],
  now: Date,
): { readonly key: string; readonly certificate: string } => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const until = new Date(now)
  until.setUTCFullYear(until.getUTCFullYear() + years)
  const issuer = nameOf('Millseal')
  const content = new TBSCertificate({
    version: Version.v3,
    // A first byte of 1 keeps the number positive.
    serialNumber: toArrayBuffer(Buffer.concat([Buffer.from([0x01]), randomBytes(15)])),
    signature: ecdsaWithSha256,
    issuer,
    validity: new Validity({ notBefore: now, notAfter: until }),
    subject: issuer,
    subjectPublicKeyInfo: AsnConvert.parse(
      publicKey.export({ type: 'spki', format: 'der' }),
      SubjectPublicKeyInfo,
    ),
    extensions: new Extensions([
      extension(id_ce_basicConstraints, new BasicConstraints(), true),
      extension(id_ce_extKeyUsage, new ExtendedKeyUsage([id_kp_serverAuth])),
      extension(id_ce_subjectAltName, new SubjectAlternativeName(names.map(alternativeName))),
    ]),
  })
  const signature = sign('sha256', Buffer.from(AsnConvert.serialize(content)), privateKey)
  const certificate = AsnConvert.serialize(
    new Certificate({
      tbsCertificate: content,
      signatureAlgorithm: ecdsaWithSha256,
      signatureValue: toArrayBuffer(signature),
    }),
  )
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certificate: new X509Certificate(Buffer.from(certificate)).toString(),
  }
}

const nameOf = (text: string): Name => {
  const value = new AttributeValue({ utf8String: text })
  return new Name([new RelativeDistinguishedName([new AttributeTypeAndValue({ type: commonName, value })])])
}

const extension = (extnID: string, value: unknown, critical = false): Extension =>
  new Extension({ extnID, critical, extnValue: new OctetString(AsnConvert.serialize(value)) })

const alternativeName = (name: string): GeneralName =>
  new GeneralName(isIP(name) === 0 ? { dNSName: name } : { iPAddress: name })

const toArrayBuffer = (bytes: Uint8Array): ArrayBuffer => Uint8Array.from(bytes).buffer
