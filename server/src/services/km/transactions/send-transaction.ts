import type { operations, SignedTransaction } from '@millseal/contract'
import { because } from '@millseal/contract/reasons'
import {
  correctionType,
  type SignedTransaction as LedgerTransaction,
  verifyTransaction,
} from '@millseal/proof'
import type { Call } from '../../../http/binding.ts'
import { nodePrimitives } from '@millseal/proof/node'
import { Problem } from '../../../lib/problem.ts'
import { TransactionRefused } from '../../../ports/ledger/ledger.ts'
import { actorOf } from '../actor.ts'
import { assertUsableCoinType } from '../cointypes/usable-coin-type.ts'
import type { KmDependencies } from '../dependencies.ts'
import { submitCorrection } from './record-correction.ts'
import { submissionSignal } from '../ledgers/deadline.ts'
import { rejectInvalid } from './add-signatures.ts'
import { assertLedgerShape } from './raw-transaction.ts'
import { storeSentTransaction } from './store-transaction.ts'
import { toSignedResponse } from './transaction-response.ts'

type SendCall = Call<typeof operations.sendTransaction>

/** Submits to the ledger before it writes to the database. After a crash in between, send the transaction again. */
export const sendTransaction = async (deps: KmDependencies, call: SendCall): Promise<SignedTransaction> => {
  const { body, query, companyId, mode } = call
  await assertUsableCoinType(deps.database.query, query.coinType, 'query/coinType')
  assertLedgerShape(body)
  const transaction = await rejectInvalid(() => verifyTransaction(body, nodePrimitives))
  await submit(deps, call, transaction)
  return call.commit(async (tx) => {
    const sent = { transaction, companyId, mode, by: actorOf(call) }
    return toSignedResponse(await storeSentTransaction(deps, tx, sent), transaction)
  })
}

const submit = async (
  deps: KmDependencies,
  { mode, signal }: SendCall,
  transaction: LedgerTransaction,
): Promise<void> => {
  const isCorrection =
    transaction.operation === 'CREATE' && transaction.asset.data?.['type'] === correctionType
  if (isCorrection) {
    await submitCorrection(deps, { mode, transaction, signal: signal() })
    return
  }
  try {
    const { entry } = await deps.routing.submit(mode, transaction, submissionSignal(signal()))
    if (entry.transaction.id === transaction.id) return
    throw new Problem('transaction_conflict', {
      reasons: [because('already_on_ledger', { transaction: entry.transaction.id })],
    })
  } catch (error) {
    if (!(error instanceof TransactionRefused)) throw error
    throw new Problem(error.reason === 'conflict' ? 'transaction_conflict' : 'transaction_invalid', {
      reasons: [error.because],
      cause: error,
    })
  }
}
