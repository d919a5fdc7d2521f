import type { Mode, operations, SignedTransaction } from '@millseal/contract'
import { type SignedTransaction as LedgerTransaction, verifyTransaction } from '@millseal/proof'
import type { Call } from '../../../http/binding.ts'
import { principalName } from '../../../http/principal.ts'
import { nodePrimitives } from '../../../lib/primitives.ts'
import { Problem } from '../../../lib/problem.ts'
import { TransactionRefused } from '../../../ports/ledger/ledger.ts'
import { assertUsableCoinType, ledgerCoinType } from '../cointypes/usable-coin-type.ts'
import type { KmDependencies } from '../dependencies.ts'
import { submissionSignal } from '../ledgers/deadline.ts'
import type { LedgerRouting } from '../ledgers/routing.ts'
import type { TransactionRecords } from './keep-records.ts'
import { assertLedgerShape, toRaw } from './raw-transaction.ts'
import { refusing } from './sign-unsigned.ts'
import { toTransactionResponse } from './transaction-response.ts'

type Dependencies = Pick<KmDependencies, 'database'> & {
  readonly routing: LedgerRouting
  readonly records: TransactionRecords
}

/** The ledger first, then the record: a crash in between is mended by sending again. */
export const sendTransaction =
  (deps: Dependencies) =>
  async (call: Call<typeof operations.sendTransaction>): Promise<SignedTransaction> => {
    const { body, query, companyId, mode } = call
    await assertUsableCoinType(deps.database.query, query.coinType, 'query/coinType')
    assertLedgerShape(body)
    const transaction = await refusing(() => verifyTransaction(body, nodePrimitives))
    await submit(deps.routing, { mode, transaction, signal: submissionSignal(call.signal) })
    return call.commit(async (tx) => {
      const by = { actor: principalName(call.principal), ipAddress: call.client.ip }
      const stored = await deps.records.sent(tx, { transaction, companyId, mode, by })
      return {
        transaction: toTransactionResponse(stored),
        signedTx: [toRaw(transaction)],
        coinType: ledgerCoinType,
      }
    })
  }

type Submitting = {
  readonly mode: Mode
  readonly transaction: LedgerTransaction
  readonly signal: AbortSignal
}

const submit = async (routing: LedgerRouting, { mode, transaction, signal }: Submitting): Promise<void> => {
  try {
    const { entry } = await routing.submit(mode, transaction, signal)
    if (entry.transaction.id === transaction.id) return
    throw new Problem('transaction_conflict', {
      details: [`The certificate it records is on the ledger already: ${entry.transaction.id}`],
    })
  } catch (error) {
    if (!(error instanceof TransactionRefused)) throw error
    throw new Problem(error.reason === 'conflict' ? 'transaction_conflict' : 'transaction_invalid', {
      details: [error.message.slice(0, 400)],
      cause: error,
    })
  }
}
