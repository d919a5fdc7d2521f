import { checkAgainst, type LedgerState, type Primitives, type SignedTransaction } from '@millseal/proof'
import { assertCorrection, type CorrectionHistory } from './corrections.ts'
import { LogRefused } from './log-refused.ts'

/** Throws `InvalidTransaction` unless the log may contain this after what is recorded. */
export const assertAllowed = (
  transaction: SignedTransaction,
  history: LedgerState & CorrectionHistory,
  primitives: Primitives,
): void => {
  checkAgainst(transaction, history, primitives)
  assertCorrection(transaction, history)
}

/** Entries that are older than the line with the time have none. `newest` is that of the entry before, or empty. */
export const assertTimeFollows = (time: string | undefined, newest: string): void => {
  if (time === undefined && newest !== '') throw new LogRefused('it has no time')
  if (time !== undefined && time < newest)
    throw new LogRefused('it has an earlier time than the entry before it')
}
