import { operations } from '@millseal/contract'
import { type Binding, bindTo } from '../../../http/binding.ts'
import { Problem } from '../../../lib/problem.ts'
import { assertUsableCoinType } from '../cointypes/usable-coin-type.ts'
import type { KmDependencies } from '../dependencies.ts'
import { buildTransaction } from './build-transaction.ts'
import { toRaw } from './raw-transaction.ts'
import { sendTransaction } from './send-transaction.ts'
import { partialSignTransaction, signTransaction } from './sign-transaction.ts'
import { toTransactionResponse } from './transaction-response.ts'
import { listTransactions } from './list-transactions.ts'
import { findTransaction } from './transactions.store.ts'

const defaultSearchLimit = 100

export const transactionRoutes = (deps: KmDependencies): readonly Binding[] => {
  const bind = bindTo(deps)
  return [
    bind(operations.buildTransaction, buildTransaction),
    bind(operations.partialSignTransaction, partialSignTransaction),
    bind(operations.signTransaction, signTransaction),
    bind(operations.sendTransaction, sendTransaction),
    bind(operations.listTransactions, listTransactions),
    bind(operations.searchLedger, async ({ database, routing }, { query, mode }) => {
      await assertUsableCoinType(database.query, query.coinType, 'query/coinType')
      const ledger = await routing.active(mode)
      const limit = query.limit ?? defaultSearchLimit
      const entries = await ledger.search({ words: query.query, limit, within: query.key })
      return entries.map(({ transaction }) => toRaw(transaction))
    }),
    bind(operations.readTransaction, async ({ database }, { params, companyId, mode }) => {
      const stored = await findTransaction(database.query, { id: params.id, companyId, mode })
      if (stored === undefined) throw new Problem('not_found')
      return toTransactionResponse(stored)
    }),
  ]
}
