import { createHash } from 'node:crypto'
import { because, type Reason } from '@millseal/contract/reasons'
import { applyLook, type Certificate, PdfError, readCertificate, toDocument } from '@millseal/families'
import { TransactionRefused } from '../../../ports/ledger/ledger.ts'
import { type Hole, SealImpossible } from '../../../ports/seals/seals.ts'
import { certificateSpan } from '../../../ports/tracer/known-spans.ts'
import type { LedgerRecord } from '../../km/index.ts'
import { findSchema } from '../checking/check-certificate.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { refusalOf } from '../corrections/started-correction.ts'
import { findLook } from '../looks/find-look.ts'
import { renderPdf } from '../rendering/render-pdf.ts'
import { minuteOf } from '../verifications/find-entry.ts'
import { recordedHashes } from '../verifications/recorded-hashes.ts'
import { findCertificateWithBodies } from '../certificates/certificates.store.ts'
import { failNotarization } from './fail-notarization.ts'
import type { GroupedSteps } from './grouped-steps.ts'
import type { RunningNotarization } from './progress.store.ts'
import { assertCanReplace, recordReplacement } from './record-replacement.ts'
import { maxAttempts } from './retry-delay.ts'

export type RunDependencies = CertificateDependencies & { readonly steps: GroupedSteps }

/**
 * Renders the PDF, seals it if its company has a seal, records both hashes on the ledger, then writes state, events and mails in one transaction. Every step
 * finds the result of an earlier run, so a run can be interrupted anywhere and repeated.
 */
export const runNotarization = async (
  deps: RunDependencies,
  running: RunningNotarization,
  signal: AbortSignal,
): Promise<void> => {
  const { tracer, steps } = deps
  const known = certificateSpan(running.id, 'complete')
  try {
    const certificate = readCertificate(running.body)
    const pdf =
      running.pdf ??
      (await tracer.run({ name: 'render' }, () => makePdf(deps, { running, certificate, signal })))
    if (running.replaces !== null) await assertCanReplace(deps, running, running.replaces)
    const record =
      (await recordedBefore(deps, running)) ?? (await recordOnLedger(deps, { running, pdf, signal }))
    const { transactionId, timestamp: recordedAt, index: entry } = record
    // A network without an index of entries has no cosigners.
    if (deps.awaitsQuorum && entry !== undefined && !isConfirmed(running))
      return await steps.awaitEntry({ id: running.id, transactionId, recordedAt, entry })
    const replacement = await recordReplacement(deps, { running, record, signal })
    await tracer.run({ name: 'complete', kind: 'producer', known }, () =>
      steps.complete({ running, certificate, record, replacement }),
    )
  } catch (error) {
    const reasons = finalReasons(error, running.attempts)
    if (reasons === undefined && running.attempts < maxAttempts) throw error
    deps.log.error({ certificateId: running.id, err: error }, 'a notarization failed')
    await failNotarization(deps, { running, reasons: reasons ?? [because('notarization_too_late')] })
  }
}

const makePdf = async (
  deps: RunDependencies,
  {
    running,
    certificate,
    signal,
  }: {
    readonly running: RunningNotarization
    readonly certificate: Certificate
    readonly signal: AbortSignal
  },
): Promise<Uint8Array> => {
  const { id, mode, companyId, hasLook } = running
  const look = hasLook ? await findLook(deps, { companyId, certificate }) : {}
  const document = applyLook(toDocument(certificate, await findSchema(deps, certificate)), look)
  const hole = deps.seals.find(running)?.openHole()
  const rendered = await renderPdf(deps, { certificate, document, mode, isDraft: false, hole, signal })
  const { pdf, seal } = await sealed(deps, { running, rendered, hole, signal })
  if (await deps.steps.storePdf({ id, pdf, pdfHash: sha256(pdf), seal })) return pdf
  const first = await findCertificateWithBodies(deps.database.query, id)
  if (!first?.pdf) throw new Error(`Another run ended the notarization of certificate ${id}`)
  return first.pdf
}

/** Without a hole, it is the rendered PDF. */
const sealed = async (
  { seals, tracer }: RunDependencies,
  {
    running,
    rendered,
    hole,
    signal,
  }: {
    readonly running: RunningNotarization
    readonly rendered: Uint8Array
    readonly hole: Hole | undefined
    readonly signal: AbortSignal
  },
): Promise<{ readonly pdf: Uint8Array; readonly seal: string | null }> => {
  const sealer = seals.find(running)
  if (sealer === undefined || hole === undefined) return { pdf: rendered, seal: null }
  const { pdf, seal } = await tracer.run({ name: 'seal' }, () => sealer.seal(rendered, hole, signal))
  return { pdf, seal: JSON.stringify(seal) }
}

/** Nobody waits for the quorum of an entry that is confirmed. */
const isConfirmed = ({ transactionId, awaitsEntry }: RunningNotarization): boolean =>
  transactionId !== null && awaitsEntry === null

/** What an attempt recorded that then waited for a quorum. */
const recordedBefore = async (
  { keys }: CertificateDependencies,
  { mode, hash, transactionId }: RunningNotarization,
): Promise<LedgerRecord | undefined> => {
  if (transactionId === null) return undefined
  const records = await keys.findRecords({ mode, jsonHash: hash })
  return records.find((record) => record.transactionId === transactionId)
}

const recordOnLedger = async (
  deps: CertificateDependencies,
  {
    running,
    pdf,
    signal,
  }: {
    readonly running: RunningNotarization
    readonly pdf: Uint8Array
    readonly signal: AbortSignal
  },
): Promise<LedgerRecord> => {
  const { keys, tracer } = deps
  const pdfHash = sha256(pdf)
  const request = {
    mode: running.mode,
    companyId: running.companyId,
    identityId: running.identityId,
    asset: { jsonHash: running.hash, pdfHash, schema: running.refSchemaUrl },
    // The time of the request, or of its release: every run then makes the same transaction.
    metadata: { timestamp: (running.releaseAt ?? running.createdAt).toISOString() },
    own: running.own,
    signal,
  }
  const record = await tracer.run({ name: 'record', kind: 'client' }, async (span) => {
    const recorded = await keys.record(request)
    const { transactionId, index } = recorded
    span.set({
      'millseal.transaction.id': transactionId,
      'millseal.ledger.index': index,
    })
    return recorded
  })
  if (recordedHashes(record).pdfHash === pdfHash && (record.isNew || (await isOwn(deps, running, record))))
    return record
  throw new TransactionRefused(await whoseItIs(deps, running, record))
}

const isOwn = async (
  { keys }: CertificateDependencies,
  { identityId, companyId, mode }: RunningNotarization,
  { issuerPublicKey }: LedgerRecord,
): Promise<boolean> =>
  (await keys.findSigningIdentity({ identityId, companyId, mode })).publicKey === issuerPublicKey

/** For the mail and the console of the company that was not first. */
const whoseItIs = async (
  deps: CertificateDependencies,
  { companyId, mode }: RunningNotarization,
  record: LedgerRecord,
): Promise<Reason> => {
  const { transactionId: transaction, timestamp, issuerPublicKey: publicKey } = record
  const issuer = publicKey === undefined ? undefined : await deps.keys.findIssuer({ mode, publicKey })
  if (issuer?.identity === undefined || issuer.identity.company.id === companyId)
    return because('already_recorded', { transaction })
  const { name } = issuer.identity.company
  return because('recorded_first', { company: name, time: minuteOf(timestamp), transaction })
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** Rendering the same certificate again would fail again, and may do harm again. */
const isFinal = ({ failure }: PdfError, attempts: number): boolean =>
  failure === 'refused' || (failure !== 'busy' && attempts > 1)

/** Shown to the issuer if retrying cannot help. */
const finalReasons = (error: unknown, attempts: number): readonly Reason[] | undefined => {
  if (error instanceof TransactionRefused || error instanceof SealImpossible) return [error.because]
  if (error instanceof PdfError) return isFinal(error, attempts) ? [error.reason] : undefined
  return refusalOf(error)
}
