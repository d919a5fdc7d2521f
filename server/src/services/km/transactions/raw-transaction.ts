import type { RawTransaction } from '@millseal/contract'
import type { SignedTransaction, UnsignedTransaction } from '@millseal/proof'
import { Problem } from '../../../lib/problem.ts'
import { ledgerCoinType } from '../cointypes/usable-coin-type.ts'

/** Transactions of the other ledger have a shape of their own, and nobody here to take them. */
export const assertLedgerShape = (raw: RawTransaction): void => {
  if (!('operation' in raw)) {
    throw new Problem('coin_type_unsupported', {
      details: [`The body must be a transaction of coin type ${ledgerCoinType}`],
    })
  }
}

/** The same value, in the words of the contract. */
export const toRaw = (transaction: SignedTransaction | UnsignedTransaction): RawTransaction =>
  transaction as unknown as RawTransaction
