import { createHash } from 'node:crypto'
import { errors } from '@millseal/contract'
import { type Certificate, PdfError, readCertificate, toDocument } from '@millseal/families'
import { Problem } from '../../../lib/problem.ts'
import type { Job } from '../../../ports/jobs/jobs.ts'
import { TransactionRefused } from '../../../ports/ledger/ledger.ts'
import { findSchema } from '../checking/check-certificate.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { renderPdf } from '../rendering/render-pdf.ts'
import { recordedHashes } from '../verifications/recorded-hashes.ts'
import { findBodies } from './certificates.store.ts'
import { completeNotarization } from './complete-notarization.ts'
import { failNotarization } from './fail-notarization.ts'
import { notarizationJob } from './notarization-job.ts'
import { type Begun, beginNotarization, keepPdf } from './progress.store.ts'

/**
 * PDF, ledger, and then in one transaction the state, the events and the mails. Every step finds what an earlier run
 * has left, so that a run may be broken off anywhere and repeated.
 */
export const runNotarization =
  (deps: CertificateDependencies) =>
  async ({ data, signal }: Job<{ certificateId: string }>): Promise<void> => {
    const { database, clock, log } = deps
    const begun = await beginNotarization(database.query, data.certificateId, new Date(clock.now()))
    if (begun === undefined) return
    try {
      const certificate = readCertificate(begun.body)
      const pdf = begun.pdf ?? (await makePdf(deps, { begun, certificate, signal }))
      const record = await recordOnLedger(deps, { begun, pdf, signal })
      await completeNotarization(deps, { begun, certificate, record })
    } catch (error) {
      const reason = finalReason(error)
      if (reason === undefined && begun.attempts <= notarizationJob.retries) throw error
      log.error({ certificateId: begun.id, err: error }, 'a notarization failed')
      await failNotarization(deps, { begun, reason: reason ?? 'It could not be carried out in time' })
    }
  }

type ToMake = { readonly begun: Begun; readonly certificate: Certificate; readonly signal: AbortSignal }

const makePdf = async (
  deps: CertificateDependencies,
  { begun, certificate, signal }: ToMake,
): Promise<Uint8Array> => {
  const schema = await findSchema(deps.schemas, certificate)
  const document = toDocument(certificate, schema)
  const { mode, companyId } = begun
  const pdf = await renderPdf(deps, { certificate, document, mode, companyId, signal })
  const kept = await keepPdf(deps.database.query, { id: begun.id, pdf, pdfHash: sha256(pdf) })
  if (kept) return pdf
  const { pdf: first } = await findBodies(deps.database.query, begun.id)
  if (first === undefined) throw new Error(`Certificate ${begun.id} was ended meanwhile`)
  return first
}

type Step = { readonly begun: Begun; readonly pdf: Uint8Array; readonly signal: AbortSignal }

const recordOnLedger = async (deps: CertificateDependencies, { begun, pdf, signal }: Step) => {
  const pdfHash = sha256(pdf)
  const record = await deps.keys.record({
    mode: begun.mode,
    companyId: begun.companyId,
    identityId: begun.identityId,
    asset: { jsonHash: begun.hash, pdfHash, schema: begun.refSchemaUrl },
    // Of the request, not of this run: the same request gives the same transaction.
    metadata: { timestamp: begun.createdAt.toISOString() },
    signal,
  })
  if (recordedHashes(record).pdfHash !== pdfHash) {
    throw new TransactionRefused(`The ledger has this certificate already: ${record.transactionId}`)
  }
  return record
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** Rendering the same again would end the same. */
const finalFailures: ReadonlySet<PdfError['failure']> = new Set(['layout', 'refused'])

/** What no repetition can mend, in words for its owner. */
const finalReason = (error: unknown): string | undefined => {
  if (error instanceof TransactionRefused) return error.message
  if (error instanceof PdfError) return finalFailures.has(error.failure) ? error.message : undefined
  if (error instanceof Problem && errors[error.code].status < 500) {
    return [error.message, ...error.details].join('. ')
  }
  return undefined
}
