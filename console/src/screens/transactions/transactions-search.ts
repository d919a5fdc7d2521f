import type { TransactionKind } from '@millseal/contract'

/** What narrows the list, as it is in the address. */
export type TransactionsSearch = {
  readonly kind?: TransactionKind | undefined
  /** An identity that signed. */
  readonly identity?: string | undefined
  /** A hash, a DID or an id on the ledger. */
  readonly about?: string | undefined
}

const kinds: readonly TransactionKind[] = [
  'certificate',
  'identity',
  'review',
  'withdrawal',
  'replacement',
  'revocation',
  'other',
]

const textOf = (value: unknown): string | undefined =>
  (typeof value === 'string' || typeof value === 'number') && String(value) !== ''
    ? String(value).trim().slice(0, 128)
    : undefined

export const readTransactionsSearch = (search: Readonly<Record<string, unknown>>): TransactionsSearch => ({
  kind: kinds.find((kind) => kind === search['kind']),
  identity: textOf(search['identity']),
  about: textOf(search['about']),
})
