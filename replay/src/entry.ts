import {
  type LogEntry,
  type Primitives,
  readCorrection,
  readLogEntry,
  type SignedTransaction,
  subjectOf,
  verifyTransaction,
} from '@millseal/proof'

/** Entries that are older than the line with the time have none. */
export type Entry = LogEntry<SignedTransaction>

/** Reads an entry and checks its id and signatures. Throws `InvalidTransaction`, `NoteRefused` or `JsonError`. */
export const readVerifiedEntry = (bytes: Uint8Array, primitives: Primitives): Entry => {
  const { transaction, time } = readLogEntry(bytes)
  return { transaction: verifyTransaction(transaction, primitives), time }
}

/** What an entry corrects. Undefined for entries without a time, which are older than corrections. */
export const correctedSubject = ({ transaction, time }: Entry): string | undefined => {
  const correction = time === undefined ? undefined : readCorrection(transaction)
  return correction && subjectOf(correction)
}

const sha256Hex = /^[0-9a-f]{64}$/

/** The SHA-256 of a file of a certificate that a CREATE records. */
export const certificateHash = (
  transaction: SignedTransaction,
  name: 'jsonHash' | 'pdfHash',
): string | null => {
  if (transaction.operation !== 'CREATE') return null
  const value = transaction.asset.data?.[name]
  return typeof value === 'string' && sha256Hex.test(value) ? value : null
}

/** The id of the entry that was first for the same certificate, if this one says that it stands beside it. */
export const besideOf = (transaction: SignedTransaction): string | undefined => {
  if (transaction.operation !== 'CREATE') return undefined
  const value = transaction.asset.data?.['beside']
  return typeof value === 'string' ? value : undefined
}

/** The outputs that a transaction spends. */
export const spentBy = (
  transaction: SignedTransaction,
): readonly { readonly id: string; readonly outputIndex: number }[] =>
  transaction.operation === 'CREATE'
    ? []
    : transaction.inputs.map(({ fulfills }) => ({
        id: fulfills.transaction_id,
        outputIndex: fulfills.output_index,
      }))
