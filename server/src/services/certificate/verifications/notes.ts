import type { Mode } from '@millseal/contract'
import { because, type Reason } from '@millseal/contract/reasons'
import type { LedgerRecord } from '../../km/index.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { notesOnOthers } from './find-entry.ts'
import { wasNotarized } from './notarizations.store.ts'
import { recordedHashes } from './recorded-hashes.ts'

/** What a reader should know of an entry beside what its proof says. Only this service knows it. */
export const notesOn = async (
  deps: CertificateDependencies,
  {
    mode,
    record,
    others,
  }: { readonly mode: Mode; readonly record: LedgerRecord; readonly others: readonly LedgerRecord[] },
): Promise<readonly Reason[]> => {
  const { transactionId } = record
  const entry = { mode, transactionId, ...recordedHashes(record) }
  const [isChecked, named] = await Promise.all([
    wasNotarized(deps.database.query, entry),
    notesOnOthers(deps, { mode, others }),
  ])
  return isChecked ? named : [because('not_checked_here'), ...named]
}
