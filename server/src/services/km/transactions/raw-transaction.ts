import type { RawTransaction } from '@millseal/contract'
import { because } from '@millseal/contract/reasons'
import type { SignedTransaction, UnsignedTransaction } from '@millseal/proof'
import { Problem } from '../../../lib/problem.ts'
import { ledgerCoinType } from '../cointypes/usable-coin-type.ts'

/** The contract also describes transactions of another coin type, which no ledger here accepts. */
export const assertLedgerShape = (raw: RawTransaction): void => {
  if (!('operation' in raw)) {
    throw new Problem('coin_type_unsupported', {
      reasons: [because('body_must_be_transaction', { coinType: ledgerCoinType })],
    })
  }
}

/** The same value with the type of the contract. */
export const toRaw = (transaction: SignedTransaction | UnsignedTransaction): RawTransaction =>
  transaction as unknown as RawTransaction
