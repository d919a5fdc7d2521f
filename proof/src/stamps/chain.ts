import { equalBytes } from '../encoding/bytes.ts'
import { type Certificate, isNamed, readCertificate } from './certificate.ts'
import { context, readDer, tags } from './der.ts'
import { oid, openFields } from './fields.ts'
import { readHash, sha2 } from './algorithms.ts'
import { StampRefused } from './stamp-refused.ts'
import type { Signer } from './signed-data.ts'
import type { Token } from './token.ts'

/** An authority for time stamps that a verifier trusts, under the name that the verifier gives it. */
export type Authority = { readonly name: string; readonly root: Certificate }

/** The certificates of a token from the signer on, and the authority that stands above them. */
export type Chain = {
  readonly signer: Certificate
  readonly certificates: readonly Certificate[]
  readonly authority: Authority
}

const timeStamping = oid('1.3.6.1.5.5.7.3.8')
const anyPurpose = oid('2.5.29.37.0')
const signingCertificate = oid('1.2.840.113549.1.9.16.2.47')
const longestChain = 3

/** Throws `StampRefused` unless the signer belongs to one of these authorities. */
export const chainOf = ({ certificates, signer }: Token, authorities: readonly Authority[]): Chain => {
  const given = certificates.map(({ bytes }) => readCertificate(bytes))
  const own = signerAmong(given, signer)
  const chain = [own]
  for (let top = own; ; ) {
    // RFC 5280 §6.1.1: of a root, only its name and its key count.
    const authority = authorities.find(({ root }) => isIssuedBy(top, root))
    if (authority !== undefined) return { signer: own, certificates: chain, authority }
    const next = given.find(
      (one) => !chain.includes(one) && mayIssue(one, chain.length - 1) && isIssuedBy(top, one),
    )
    if (next === undefined || chain.length === longestChain)
      throw new StampRefused('The time stamp is of an authority that you do not trust')
    chain.push(next)
    top = next
  }
}

/** Throws `StampRefused` unless the certificate of the signer is there, is the one that its signature names, and is for time stamps. */
export const signerAmong = (given: readonly Certificate[], signer: Signer): Certificate => {
  const own = given.find((one) => isNamed(one, signer))
  if (own === undefined)
    throw new StampRefused('The time stamp does not contain the certificate of its signer')
  assertNamedInside(own, signer)
  assertSigner(own)
  return own
}

/** RFC 5816 §2.2.1: what is signed names the certificate, so that no other of the same key can take its place. */
export const assertNamedInside = (own: Certificate, { attributes }: Signer): void => {
  const what = 'reference to its certificate'
  const value = attributes.get(signingCertificate)
  if (value === undefined)
    throw new StampRefused('The time stamp does not say which certificate its signer has')
  const fields = openFields(value, what)
  const [first] = fields.take(tags.sequence).parts
  fields.takeIf(tags.sequence)
  fields.end()
  if (first === undefined) throw new StampRefused(`The time stamp has an unusable ${what}`)
  const reference = openFields(first, what)
  const algorithm = reference.takeIf(tags.sequence)
  const hash = algorithm === undefined ? sha2[0] : readHash(algorithm)
  const digest = reference.take(tags.octetString).content
  const name = reference.takeIf(tags.sequence)
  reference.end()
  if (hash === undefined || !equalBytes(hash.digest(own.bytes), digest))
    throw new StampRefused('The time stamp contains another certificate than that of its signer')
  if (name === undefined) return
  const [issuer, serial] = name.parts
  const written = issuer?.parts.map(({ content }) => content)
  if (serial?.tag !== tags.integer || written?.length !== 1 || issuer?.parts[0]?.tag !== context(4))
    throw new StampRefused(`The time stamp has an unusable ${what}`)
  if (!isNamed(own, { issuer: readDer(written[0] ?? new Uint8Array()).bytes, serial: serial.content }))
    throw new StampRefused('The time stamp contains another certificate than that of its signer')
}

/** RFC 3161 §2.3. */
const assertSigner = ({ purposes, keyUsage, mayIssue }: Certificate): void => {
  const isForStamps =
    purposes?.isCritical === true && purposes.oids.length === 1 && purposes.oids[0] === timeStamping
  if (!isForStamps || keyUsage?.signs === false || mayIssue !== undefined)
    throw new StampRefused('The time stamp is signed with a certificate that is not for time stamps alone')
}

/** `between`: how many certificates of authorities are below the issuer. */
const mayIssue = ({ mayIssue: may, keyUsage, purposes }: Certificate, between: number): boolean =>
  may !== undefined &&
  may.longestPath >= between &&
  keyUsage?.signsCertificates !== false &&
  (purposes?.oids.some((purpose) => purpose === timeStamping || purpose === anyPurpose) ?? true)

export const isIssuedBy = (certificate: Certificate, issuer: Certificate): boolean =>
  equalBytes(certificate.issuer, issuer.subject) && certificate.isSignedBy(issuer)
