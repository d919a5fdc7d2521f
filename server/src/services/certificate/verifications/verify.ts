import { createHash } from 'node:crypto'
import type { Mode, operations, Verification } from '@millseal/contract'
import { type Certificate, summarize } from '@millseal/families'
import { extractEmbeddedCertificate, looksLikePdf } from '@millseal/proof'
import type { Call } from '../../../http/binding.ts'
import { readDocument } from '../checking/read-document.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { sha256Hex } from '../hashing/hash.ts'
import { factsOf } from './facts.ts'
import { recordedHashes } from './recorded-hashes.ts'

/** A file that is not on the ledger is an answer, not an error. */
export const verify = async (
  deps: CertificateDependencies,
  { body, mode }: Call<typeof operations.verifyCertificate | typeof operations.verifyCertificateFile>,
): Promise<Verification> =>
  looksLikePdf(body.bytes) ? verifyPdf(deps, mode, body.bytes) : verifyJson(deps, mode, body.bytes)

const verifyJson = async (
  deps: CertificateDependencies,
  mode: Mode,
  bytes: Uint8Array,
): Promise<Verification> => {
  const certificate = readDocument(bytes)
  const { hash } = certificate
  const record = await deps.keys.findRecord({ mode, hash, file: 'json' })
  if (record === undefined) return notFound(mode, hash)
  return {
    isValid: true,
    mode,
    matched: 'json',
    hash: sha256Hex(hash),
    summary: summarize(certificate),
    ...(await factsOf(deps, { mode, hash, record, certificate })),
  }
}

/** Compares bytes: a PDF that was saved again is another file. The embedded certificate then gives a second answer. */
const verifyPdf = async (
  deps: CertificateDependencies,
  mode: Mode,
  bytes: Uint8Array,
): Promise<Verification> => {
  const hash = createHash('sha256').update(bytes).digest('hex')
  const record = await deps.keys.findRecord({ mode, hash, file: 'pdf' })
  const embedded = await readEmbedded(bytes)
  if (record !== undefined) {
    // An issuer can embed anything in a PDF: show it only if its hash was recorded with that of the PDF.
    const certificate = embedded?.hash === recordedHashes(record).jsonHash ? embedded : undefined
    return {
      isValid: true,
      mode,
      matched: 'pdf',
      hash: sha256Hex(hash),
      summary: certificate === undefined ? {} : summarize(certificate),
      ...(await factsOf(deps, { mode, hash, record, certificate })),
    }
  }
  if (embedded === undefined) return notFound(mode, hash)
  const isValid = (await deps.keys.findRecord({ mode, hash: embedded.hash, file: 'json' })) !== undefined
  return { ...notFound(mode, hash), embedded: { isValid, hash: sha256Hex(embedded.hash) } }
}

const notFound = (mode: Mode, hash: string): Verification => ({
  isValid: false,
  verdict: 'notFound',
  mode,
  hash: sha256Hex(hash),
})

/** Undefined for an attachment that is not a certificate: a PDF may embed anything. */
const readEmbedded = async (pdf: Uint8Array): Promise<Certificate | undefined> => {
  const bytes = await extractEmbeddedCertificate(pdf)
  if (bytes === undefined) return undefined
  try {
    return readDocument(bytes)
  } catch {
    return undefined
  }
}
