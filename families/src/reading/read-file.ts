import { createHash } from 'node:crypto'
import { extractEmbeddedCertificate, looksLikePdf, type Seller, sellersOf } from '@millseal/proof'
import { type Certificate, CertificateUnreadable, readCertificate } from '../certificate/read-certificate.ts'
import { summarize } from '../certificate/summarize.ts'
import type { CertificateSummary } from '../family.ts'

/** What a verification needs of a certificate. Small, whatever the certificate is. */
export type ReadCertificate = {
  /** SHA-256 of the canonical form, hex. */
  readonly hash: string
  readonly summary: CertificateSummary
  readonly sellers: readonly Seller[]
}

export type ReadFile =
  | ({ readonly file: 'json' } & ReadCertificate)
  | {
      readonly file: 'pdf'
      /** SHA-256 of the bytes, hex. */
      readonly hash: string
      readonly embedded: ReadCertificate | undefined
    }

/** Throws CertificateUnreadable for a file that is neither a PDF nor a certificate. */
export const readFile = async (bytes: Uint8Array): Promise<ReadFile> =>
  looksLikePdf(bytes)
    ? {
        file: 'pdf',
        hash: createHash('sha256').update(bytes).digest('hex'),
        embedded: await readEmbedded(bytes),
      }
    : { file: 'json', ...read(bytes) }

const read = (bytes: Uint8Array): ReadCertificate => describe(readCertificate(bytes))

export const describe = (certificate: Certificate): ReadCertificate => ({
  hash: certificate.hash,
  summary: summarize(certificate),
  sellers: sellersOf({ ...certificate.json })
    .slice(0, mostSellers)
    .map(clip),
})

/** More than any certificate has, so that none can be pushed out by many others. */
const mostSellers = 500
const longestText = 500

const clip = (seller: Seller): Seller => ({
  ...seller,
  pointer: seller.pointer.slice(0, longestText),
  name: seller.name?.slice(0, longestText),
  vatId: seller.vatId?.slice(0, longestText),
})

/** Undefined for an attachment that is not a certificate: a PDF may embed anything. */
const readEmbedded = async (pdf: Uint8Array): Promise<ReadCertificate | undefined> => {
  const bytes = await extractEmbeddedCertificate(pdf)
  if (bytes === undefined) return undefined
  try {
    return read(bytes)
  } catch (error) {
    if (error instanceof CertificateUnreadable) return undefined
    throw error
  }
}
