import { type TransactionKind, transactionKinds } from '@millseal/contract/vocabulary'
import { oneOf, type Read, textOf } from '../../ui/list/read-search.ts'

/** The filters of the list, as they are in the address. */
export type TransactionsSearch = {
  readonly kind?: TransactionKind | undefined
  /** An identity that signed. */
  readonly identity?: string | undefined
  /** A hash, a DID or an id on the ledger. */
  readonly about?: string | undefined
}

export const readTransactionsSearch = (search: Read): TransactionsSearch => ({
  kind: oneOf(transactionKinds, search['kind']),
  identity: textOf(search['identity'])?.slice(0, 128),
  about: textOf(search['about'])?.slice(0, 128),
})
