import {
  type LogEntry,
  logEntryOf,
  readCorrection,
  readJson,
  readLogEntry,
  type SignedTransaction,
  subjectOf,
  type VerifiedTransaction,
  verifyTransaction,
} from '@millseal/proof'
import { nodePrimitives } from '@millseal/proof/node'

/** Entries that are older than the line with the time have none. */
export type Entry = LogEntry<SignedTransaction>

/** The leaf of the log. */
export const writeEntry = ({ text }: VerifiedTransaction, time: string): Uint8Array => logEntryOf(text, time)

/** Reads an entry without checking signatures. The caller has compared its hash with the tree. */
export const readEntry = (bytes: Uint8Array): Entry => readLogEntry(bytes) as unknown as Entry

/** Reads an entry and checks its id and signatures. Throws `InvalidTransaction`, `NoteRefused` or `JsonError`. */
export const readVerifiedEntry = (bytes: Uint8Array): Entry => {
  const { transaction, time } = readLogEntry(bytes)
  return { transaction: verifyTransaction(transaction, nodePrimitives), time }
}

/** `verifyTransaction` checks the nesting of transactions again. */
const maxDepth = 64

/** A transaction that is handed to the writer. */
export const writeSubmission = ({ text }: VerifiedTransaction): Buffer => Buffer.from(text)

/** Not verified. Throws `JsonError`. */
export const readSubmission = (bytes: Uint8Array): SignedTransaction =>
  readJson(bytes, { maxDepth }) as unknown as SignedTransaction

/** What an entry corrects. Undefined for entries without a time, which are older than corrections. */
export const correctedSubject = ({ transaction, time }: Entry): string | undefined => {
  const correction = time === undefined ? undefined : readCorrection(transaction)
  return correction && subjectOf(correction)
}
