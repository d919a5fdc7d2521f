import type { SignedTransaction } from '../ledger/transaction.ts'
import type { Check } from './report.ts'

/** Alone, a log and an issuer can date back together: the time is only what they say. */
export const checkTime = ({ metadata }: SignedTransaction): Check => {
  const time = metadata?.['timestamp']
  return typeof time === 'string' && !Number.isNaN(Date.parse(time))
    ? { name: 'time', outcome: 'unknown', says: `Notarized ${time}, as its issuer and the log say` }
    : { name: 'time', outcome: 'unknown', says: 'The transaction names no time' }
}

/** Third parties that vouch for a checkpoint. None of their kinds is understood here yet, so none is believed. */
export const checkAnchors = (anchors: readonly unknown[]): Check => ({
  name: 'anchors',
  outcome: 'unknown',
  says:
    anchors.length === 0
      ? 'Nobody beside the log vouches for it'
      : `${anchors.length} anchors of kinds that this verifier does not understand`,
})
