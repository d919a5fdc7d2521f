import { type Certificate, isNamed, readCertificate } from '../stamps/certificate.ts'
import { assertNamedInside, isIssuedBy } from '../stamps/chain.ts'
import type { SignedData } from '../stamps/signed-data.ts'
import { StampRefused } from '../stamps/stamp-refused.ts'
import { SealRefused } from './seal-refused.ts'

/** From the signer on, each issued by the next. Without a root, unless the signer is its own. */
export type SealCertificates = readonly [Certificate, ...Certificate[]]

const longestChain = 4

/** Throws `SealRefused` unless the first is for signatures and each is issued by the next. Drops a root at the end. */
export const readSealCertificates = (ders: readonly Uint8Array[]): SealCertificates =>
  aboutSeals(() => {
    const [signer, ...issuers] = ders.map(readCertificate)
    if (signer === undefined) throw new SealRefused('There is no certificate')
    if (issuers.length > longestChain)
      throw new SealRefused(`There are more than ${longestChain} certificates of issuers`)
    assertForSeals(signer)
    assertChain([signer, ...issuers])
    return [signer, ...issuers.filter((one) => !isIssuedBy(one, one))]
  })

/** The same for those in a signature: in any order, and none is there for nothing. */
export const certificatesOf = ({ certificates, signer }: SignedData): SealCertificates => {
  const left = certificates.map(({ bytes }) => readCertificate(bytes))
  const own = left.find((one) => isNamed(one, signer))
  if (own === undefined) throw new SealRefused('The seal does not contain the certificate of its signer')
  assertNamedInside(own, signer)
  const chain: [Certificate, ...Certificate[]] = [own]
  for (let top = own; chain.length < left.length; ) {
    const next = left.find((one) => !chain.includes(one) && isIssuedBy(top, one))
    if (next === undefined) throw new SealRefused('The seal contains a certificate that is not needed')
    chain.push(next)
    top = next
  }
  assertForSeals(own)
  assertChain(chain)
  return chain
}

/** RFC 5280 §4.2.1.3: bit 0 or 1. */
const assertForSeals = ({ keyUsage, mayIssue }: Certificate): void => {
  if (mayIssue !== undefined)
    throw new SealRefused('The certificate is one of a certification authority, which signs certificates')
  if (keyUsage?.signs !== true)
    throw new SealRefused(
      'The certificate is not for signatures: its key usage has neither digitalSignature nor nonRepudiation',
    )
}

const assertChain = (chain: readonly Certificate[]): void => {
  for (const [at, issuer] of chain.slice(1).entries()) {
    const issued = chain[at]
    const mayIssue = issuer.mayIssue !== undefined && issuer.mayIssue.longestPath >= at
    if (
      issued === undefined ||
      !mayIssue ||
      issuer.keyUsage?.signsCertificates === false ||
      !isIssuedBy(issued, issuer)
    )
      throw new SealRefused('The certificates are not a chain: each must be issued by the next')
  }
}

/** The reader of certificates speaks of time stamps. */
export const aboutSeals = <Result>(read: () => Result): Result => {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof StampRefused)) throw error
    throw new SealRefused(error.message.replaceAll('time stamp', 'seal'), { cause: error })
  }
}
