import { assetIdOf, type JsonValue, type SignedTransaction } from '@millseal/proof'

/** What the index holds of an entry. It follows from the entry alone, so that it can be rebuilt and compared. */
export type EntryRow = {
  readonly index: number
  readonly height: number
  readonly id: string
  /** Where its bytes lie in their bundle. */
  readonly bundle_offset: number
  readonly bundle_bytes: number
  readonly operation: 'CREATE' | 'TRANSFER'
  readonly asset_id: string
  readonly json_hash: string | null
  readonly pdf_hash: string | null
  readonly asset_words: readonly string[]
  readonly metadata_words: readonly string[]
}

export type OutputRow = {
  readonly index: number
  readonly output_index: number
  readonly public_keys: readonly string[]
}

export type Spending = {
  readonly id: string
  readonly output_index: number
  readonly spent_by: number
}

export type PlacedTransaction = {
  readonly index: number
  readonly height: number
  readonly transaction: SignedTransaction
  readonly offset: number
  readonly length: number
}

const maxWords = 1_000
const maxWordLength = 100
const sha256Hex = /^[0-9a-f]{64}$/

export const entryRow = ({ index, height, transaction, offset, length }: PlacedTransaction): EntryRow => ({
  index,
  height,
  id: transaction.id,
  bundle_offset: offset,
  bundle_bytes: length,
  operation: transaction.operation,
  asset_id: assetIdOf(transaction),
  json_hash: certificateHash(transaction, 'jsonHash'),
  pdf_hash: certificateHash(transaction, 'pdfHash'),
  asset_words: transaction.operation === 'CREATE' ? wordsOf(transaction.asset.data) : [],
  metadata_words: wordsOf(transaction.metadata),
})

export const outputRows = ({
  index,
  transaction,
}: Pick<PlacedTransaction, 'index' | 'transaction'>): OutputRow[] =>
  transaction.outputs.map(({ public_keys }, output_index) => ({
    index,
    output_index,
    public_keys: [...new Set(public_keys)],
  }))

export const spendings = ({
  index,
  transaction,
}: Pick<PlacedTransaction, 'index' | 'transaction'>): Spending[] =>
  transaction.operation === 'CREATE'
    ? []
    : transaction.inputs.map(({ fulfills }) => ({
        id: fulfills.transaction_id,
        output_index: fulfills.output_index,
        spent_by: index,
      }))

/** A CREATE whose asset names the SHA-256 of a certificate is the record of that certificate, and the only one. */
export const certificateHash = (
  transaction: SignedTransaction,
  name: 'jsonHash' | 'pdfHash',
): string | null => {
  if (transaction.operation !== 'CREATE') return null
  const value = transaction.asset.data?.[name]
  return typeof value === 'string' && sha256Hex.test(value) ? value : null
}

/** The words of all texts in it, in lower case, as the text search of the original finds them. */
const wordsOf = (value: JsonValue): string[] => {
  const words = new Set<string>()
  for (const text of textsIn(value)) {
    for (const word of splitWords(text)) {
      if (words.size < maxWords) words.add(word)
    }
  }
  return [...words]
}

export const splitWords = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter((word) => word !== '')
    .map((word) => word.slice(0, maxWordLength).toWellFormed())

/** In the order of their keys: a transaction that was just made and the same one read from its entry have another. */
const textsIn = function* (value: JsonValue): Generator<string> {
  if (typeof value === 'string') yield value
  else if (Array.isArray(value)) for (const item of value) yield* textsIn(item)
  else if (typeof value === 'object' && value !== null) {
    for (const [, item] of Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      yield* textsIn(item)
  }
}
