import type { operations, Transaction } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import { listPage, tellTotal } from '../../../http/page.ts'
import type { KmDependencies } from '../dependencies.ts'
import { toTransactionResponse } from './transaction-response.ts'
import { countTransactions, findTransactionPage, type TransactionFilter } from './transactions.store.ts'

export const listTransactions = async (
  { database }: KmDependencies,
  call: Call<typeof operations.listTransactions>,
): Promise<Transaction[]> => {
  const { companyId, mode, query } = call
  const { kind, identity, about } = query
  const filter: TransactionFilter = { companyId, mode, kind, identity, about }
  const page = await listPage(
    call,
    (wanted) => findTransactionPage(database.query, filter, wanted),
    ({ id }) => id,
  )
  await tellTotal(call, (atMost) => countTransactions(database.query, filter, atMost))
  return page.map(toTransactionResponse)
}
