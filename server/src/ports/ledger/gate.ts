import type { Mode } from '@millseal/contract'
import { because } from '@millseal/contract/reasons'
import type { SignedTransaction, UnsignedTransaction } from '@millseal/proof'
import { TransactionRefused } from './ledger.ts'
import type { notarized } from './notarized.ts'

/**
 * In live mode, only a notarization may record the hash of a file, because it checks what the file says. Refuses every
 * value of these fields: what is a hash today is for the verifiers to say.
 */
export const assertRecordable = (
  { operation, asset }: SignedTransaction | UnsignedTransaction,
  mode: Mode,
  as?: typeof notarized,
): void => {
  if (mode === 'test' || as !== undefined || operation !== 'CREATE' || !('data' in asset)) return
  for (const name of ['jsonHash', 'pdfHash'])
    if (asset.data !== null && Object.hasOwn(asset.data, name))
      throw new TransactionRefused(because('recorded_by_notarization', { place: `/asset/data/${name}` }))
}
