import type { Correction } from '@millseal/proof'
import { errors } from '@millseal/contract'
import type { Reason } from '@millseal/contract/reasons'
import { Problem } from '../../../lib/problem.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import type { Job, JobKind } from '../../../ports/jobs/jobs.ts'
import {
  findCorrection,
  finishCorrection,
  refuseCorrection,
  type StoredCorrection,
} from '../certificates/corrections.store.ts'
import { findCertificate, type StoredCertificate } from '../certificates/certificates.store.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { reportCorrection } from './report-correction.ts'

/** On the ledger. */
export type Notarized = StoredCertificate & { readonly transactionId: string }

export const isNotarized = (certificate: StoredCertificate | undefined): certificate is Notarized =>
  certificate !== undefined && certificate.transactionId !== null

export const startedCorrection: JobKind<{ readonly correctionId: string }> = {
  name: 'certificate-correction',
  retries: 20,
  backoffSeconds: 10,
  expireSeconds: 300,
}

/** The call that starts a correction also finishes it. Only if its process ends before, a job does. */
const callSeconds = 60

export const finishLater = (
  { jobs }: CertificateDependencies,
  tx: Transaction,
  { id }: StoredCorrection,
): Promise<void> =>
  jobs.enqueue(
    tx,
    startedCorrection,
    { correctionId: id },
    { startAfterSeconds: callSeconds, singletonKey: id },
  )

/** Every attempt makes the same transaction, so it can be interrupted anywhere and repeated. A refusal is kept. */
export const recordStarted = (
  { keys, database, log }: CertificateDependencies,
  {
    certificate,
    started,
    replacedBy,
    signal,
  }: {
    readonly certificate: Notarized
    readonly started: StoredCorrection
    /** The transaction of the new certificate. */
    readonly replacedBy: string | undefined
    readonly signal: AbortSignal
  },
) => {
  const { transactionId, companyId, identityId, mode } = certificate
  const { reason, madeBy, action } = started
  const correction: Correction =
    replacedBy === undefined
      ? { action: 'withdraw', transactionId, reason }
      : { action: 'replace', transactionId, replacedBy, reason }
  return keys
    .recordCorrection({
      mode,
      correction,
      signatory: madeBy === 'operator' ? { role: 'operator' } : { role: 'issuer', companyId, identityId },
      by: wantedBy(started),
      purpose: `certificates.${action}`,
      signal,
    })
    .catch(async (error: unknown) => {
      const reasons = refusalOf(error)
      if (reasons !== undefined) {
        log.warn({ correctionId: started.id, err: error }, 'a correction was refused')
        await refuseCorrection(database.query, started.id, reasons)
      }
      throw error
    })
}

/** The reasons if no later attempt can succeed. */
export const refusalOf = (error: unknown): readonly Reason[] | undefined =>
  error instanceof Problem && errors[error.code].status < 500
    ? [{ code: error.code, values: {} }, ...error.reasons]
    : undefined

/** Stores that the ledger has it, and tells everybody, once. */
export const finishStarted = async (
  deps: CertificateDependencies,
  tx: Transaction,
  {
    certificate,
    replacement,
    started,
    recorded,
    except,
  }: {
    readonly certificate: StoredCertificate
    readonly replacement: StoredCertificate | undefined
    readonly started: StoredCorrection
    readonly recorded: Awaited<ReturnType<typeof recordStarted>>
    /** Addresses that are told in another mail. */
    readonly except?: ReadonlySet<string>
  },
): Promise<void> => {
  if (!(await finishCorrection(tx, started, recorded))) return
  const correctionId = started.id
  await reportCorrection(deps, tx, { by: wantedBy(started), certificate, replacement, correctionId, except })
}

export const runStartedCorrection = async (
  deps: CertificateDependencies,
  { data, signal }: Job<{ readonly correctionId: string }>,
): Promise<void> => {
  const { query } = deps.database
  const started = await findCorrection(query, data.correctionId)
  if (started === undefined || started.transactionId !== null || started.error !== null) return
  const certificate = await findCertificate(query, started.certificateId)
  const replacement =
    started.replacedBy === null ? undefined : await findCertificate(query, started.replacedBy)
  if (!isNotarized(certificate) || (started.replacedBy !== null && !isNotarized(replacement))) return
  try {
    const replacedBy = replacement?.transactionId ?? undefined
    const recorded = await recordStarted(deps, { certificate, started, replacedBy, signal })
    await deps.database.transaction((tx) =>
      finishStarted(deps, tx, { certificate, replacement, started, recorded }),
    )
  } catch (error) {
    if (refusalOf(error) === undefined) throw error
  }
}

/** Rows of an earlier release do not name who wanted them. */
const wantedBy = ({ wantedBy: actor, ipAddress }: StoredCorrection) => ({
  actor: actor ?? 'job',
  ipAddress: ipAddress ?? undefined,
})
