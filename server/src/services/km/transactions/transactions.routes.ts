import { operations } from '@millseal/contract'
import { type Binding, bind } from '../../../http/binding.ts'
import { listPage } from '../../../http/page.ts'
import { Problem } from '../../../lib/problem.ts'
import { assertUsableCoinType } from '../cointypes/usable-coin-type.ts'
import type { KmDependencies } from '../dependencies.ts'
import type { LedgerRouting } from '../ledgers/routing.ts'
import { buildTransaction } from './build-transaction.ts'
import type { TransactionRecords } from './keep-records.ts'
import { toRaw } from './raw-transaction.ts'
import { sendTransaction } from './send-transaction.ts'
import { partialSignTransaction, signTransaction } from './sign-transaction.ts'
import { toTransactionResponse } from './transaction-response.ts'
import { findTransaction, findTransactionPage } from './transactions.store.ts'

type Dependencies = Pick<KmDependencies, 'database' | 'vault' | 'audit'> & {
  readonly routing: LedgerRouting
  readonly records: TransactionRecords
}

const searched = 100

export const transactionRoutes = (deps: Dependencies): readonly Binding[] => [
  bind(operations.buildTransaction, buildTransaction(deps)),
  bind(operations.partialSignTransaction, partialSignTransaction(deps)),
  bind(operations.signTransaction, signTransaction(deps)),
  bind(operations.sendTransaction, sendTransaction(deps)),
  bind(operations.listTransactions, async (call) => {
    const page = await listPage(
      call,
      (wanted) => findTransactionPage(deps.database.query, call, wanted),
      ({ id }) => id,
    )
    return page.map(toTransactionResponse)
  }),
  bind(operations.searchLedger, async ({ query, mode }) => {
    await assertUsableCoinType(deps.database.query, query.coinType, 'query/coinType')
    const ledger = await deps.routing.active(mode)
    const entries = await ledger.search({
      words: query.query,
      limit: query.limit ?? searched,
      ...(query.key === undefined ? {} : { within: query.key }),
    })
    return entries.map(({ transaction }) => toRaw(transaction))
  }),
  bind(operations.readTransaction, async ({ params, companyId, mode }) => {
    const stored = await findTransaction(deps.database.query, { id: params.id, companyId, mode })
    if (stored === undefined) throw new Problem('not_found')
    return toTransactionResponse(stored)
  }),
]
