import type { Mode } from '@millseal/contract'
import { because, type Reason } from '@millseal/contract/reasons'
import type { LedgerRecord } from '../../km/index.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { wasNotarized } from './notarizations.store.ts'
import { recordedHashes } from './recorded-hashes.ts'

/** What a reader should know of an entry beside what its proof says. Only this service knows it. */
export const notesOn = async (
  { database }: CertificateDependencies,
  { mode, record }: { readonly mode: Mode; readonly record: LedgerRecord },
): Promise<readonly Reason[]> => {
  const { transactionId } = record
  const entry = { mode, transactionId, ...recordedHashes(record) }
  return (await wasNotarized(database.query, entry)) ? [] : [because('not_checked_here')]
}
