import { hash } from 'node:crypto'
import { assetIdOf, type JsonValue, type SignedTransaction } from '@millseal/proof'
import { certificateHash, correctedSubject, spentBy } from '@millseal/replay'
import type { Selectable } from 'kysely'
import type { LedgerEntries, LedgerOutputs } from '../../../ports/database/tables.ts'
import type { RecordedEntry } from './entry.ts'

/** Where an entry is: its block, and its bytes in their bundle. */
export type EntryPlace = Pick<Selectable<LedgerEntries>, 'index' | 'height' | 'bundleOffset' | 'bundleBytes'>
/** The index row of an entry, with bytes as hex. It follows from the entry alone, so it can be rebuilt and compared. */
export type EntryRow = EntryPlace &
  Pick<Selectable<LedgerEntries>, 'operation' | 'assetWords' | 'metadataWords'> & {
    readonly id: string
    readonly assetId: string
    readonly jsonHash: string | null
    readonly pdfHash: string | null
  }
export type OutputRow = Pick<Selectable<LedgerOutputs>, 'index' | 'outputIndex' | 'publicKeys'>
/** An output, by the id of its transaction, and the index of the entry that spends it. */
export type Spending = { readonly id: string; readonly outputIndex: number; readonly spentBy: number }

export type PlacedEntry = EntryPlace & RecordedEntry
/** An entry that corrects a certificate or a key. */
export type CorrectionRow = { readonly index: number; readonly subject: string }

const maxWords = 1_000
const maxWordLength = 100

/** Processes of the release before learn the size of the log from the last row, so state leaves have one. */
export const stateOperation = 'STATE'

export const entryRow = (entry: PlacedEntry): EntryRow => {
  const { index, height, bundleOffset, bundleBytes, transaction } = entry
  const place = { index, height, bundleOffset, bundleBytes }
  return transaction === undefined ? stateRow(place) : transactionRow(place, transaction)
}

/** Two state leaves can have the same text, but not the same id. */
const stateRow = ({ index, height, bundleOffset, bundleBytes }: EntryPlace): EntryRow => {
  const id = hash('sha256', `millseal-state ${index}`)
  const nothing = { jsonHash: null, pdfHash: null, assetWords: [], metadataWords: [] }
  return { index, height, id, bundleOffset, bundleBytes, operation: stateOperation, assetId: id, ...nothing }
}

const transactionRow = (
  { index, height, bundleOffset, bundleBytes }: EntryPlace,
  transaction: SignedTransaction,
): EntryRow => ({
  index,
  height,
  id: transaction.id,
  bundleOffset,
  bundleBytes,
  operation: transaction.operation,
  assetId: assetIdOf(transaction),
  jsonHash: certificateHash(transaction, 'jsonHash'),
  pdfHash: certificateHash(transaction, 'pdfHash'),
  assetWords: transaction.operation === 'CREATE' ? wordsOf(transaction.asset.data) : [],
  metadataWords: wordsOf(transaction.metadata),
})

type Numbered = { readonly index: number; readonly transaction: SignedTransaction | undefined }

export const outputRows = ({ index, transaction }: Numbered): OutputRow[] =>
  (transaction?.outputs ?? []).map(({ public_keys }, outputIndex) => ({
    index,
    outputIndex,
    publicKeys: [...new Set(public_keys)],
  }))

export const spendings = ({ index, transaction }: Numbered): Spending[] =>
  (transaction === undefined ? [] : spentBy(transaction)).map((output) => ({ ...output, spentBy: index }))

export const correctionRows = ({ index, ...entry }: PlacedEntry): CorrectionRow[] => {
  const subject = entry.transaction && correctedSubject(entry)
  return subject === undefined ? [] : [{ index, subject }]
}

/** The words of all texts in a value, in lower case, as the text search of BigchainDB finds them. */
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

/** In the order of their keys, which differs between a new transaction and the same one read from its entry. */
const textsIn = function* (value: JsonValue): Generator<string> {
  if (typeof value === 'string') yield value
  else if (Array.isArray(value)) for (const item of value) yield* textsIn(item)
  else if (typeof value === 'object' && value !== null) {
    for (const [, item] of Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      yield* textsIn(item)
  }
}
