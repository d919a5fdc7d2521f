import type { SignedTransaction } from '../ledger/transaction.ts'
import type { Check } from './report.ts'

/** Never `passed`, because log and issuer together could backdate an entry. */
export const checkTime = ({ metadata }: SignedTransaction): Check => {
  const time = metadata?.['timestamp']
  return typeof time === 'string' && !Number.isNaN(Date.parse(time))
    ? { name: 'time', outcome: 'unknown', says: `Notarized ${time}, according to issuer and log` }
    : { name: 'time', outcome: 'unknown', says: 'The transaction contains no time' }
}

/** Third parties that confirm a checkpoint. This verifier supports no kind of anchor yet. */
export const checkAnchors = (anchors: readonly unknown[]): Check => ({
  name: 'anchors',
  outcome: 'unknown',
  says:
    anchors.length === 0
      ? 'No third party confirms the log'
      : `${anchors.length} anchors that this verifier does not support`,
})
