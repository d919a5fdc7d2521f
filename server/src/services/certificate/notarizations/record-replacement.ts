import type { LedgerRecord } from '../../km/index.ts'
import { findCertificate } from '../certificates/certificates.store.ts'
import { findReplacement, type StoredCorrection } from '../certificates/corrections.store.ts'
import { isNotarized, type Notarized, recordStarted, refusalOf } from '../corrections/started-correction.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import type { RunningNotarization } from './progress.store.ts'
import { maxAttempts } from './retry-delay.ts'

/** What a notarization did to the certificate that it replaces. */
export type Replacement = {
  readonly certificate: Notarized
  readonly started: StoredCorrection
  /** Undefined if the ledger did not answer in all attempts: a job then continues. */
  readonly recorded: Awaited<ReturnType<typeof recordStarted>> | undefined
}

/** Throws before the new certificate is on the ledger if the other one cannot be replaced any more. */
export const assertCanReplace = async (
  { database, keys }: CertificateDependencies,
  { mode, companyId, hash }: RunningNotarization,
  replaced: string,
): Promise<void> => {
  // What an earlier attempt recorded must end as notarized.
  if ((await keys.findRecords({ mode, jsonHash: hash })).length > 0) return
  const certificate = await findCertificate(database.query, replaced)
  if (certificate !== undefined)
    await keys.findSigningIdentity({ identityId: certificate.identityId, companyId, mode })
}

/**
 * Records that the new certificate, which the ledger has, replaces the other one. Undefined if there is nothing to do, or
 * if the ledger refused it: the new certificate is notarized in any case.
 */
export const recordReplacement = async (
  deps: CertificateDependencies,
  {
    running,
    record,
    signal,
  }: {
    readonly running: RunningNotarization
    readonly record: LedgerRecord
    readonly signal: AbortSignal
  },
): Promise<Replacement | undefined> => {
  const { id: replacedBy, replaces: certificateId, attempts } = running
  if (certificateId === null) return undefined
  const { query } = deps.database
  const certificate = await findCertificate(query, certificateId)
  const started = await findReplacement(query, { certificateId, replacedBy })
  if (!isNotarized(certificate) || started?.transactionId !== null || started.error !== null) return undefined
  try {
    const { transactionId } = record
    const recorded = await recordStarted(deps, { certificate, started, replacedBy: transactionId, signal })
    return { certificate, started, recorded }
  } catch (error) {
    if (refusalOf(error) !== undefined) return undefined
    if (attempts < maxAttempts) throw error
    return { certificate, started, recorded: undefined }
  }
}
