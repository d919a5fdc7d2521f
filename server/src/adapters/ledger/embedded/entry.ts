import {
  isStateLeaf,
  logEntryOf,
  readJson,
  readLogEntry,
  type SignedTransaction,
  timeOfStateLeaf,
  type VerifiedTransaction,
} from '@millseal/proof'
import type { Entry } from '@millseal/replay'

/** State leaves have no transaction. */
export type RecordedEntry = Entry | { readonly transaction: undefined; readonly time: string }

/** The leaf of the log. */
export const writeEntry = ({ text }: VerifiedTransaction, time: string): Uint8Array => logEntryOf(text, time)

/** Reads an entry without checking signatures. The caller has compared its hash with the tree. */
export const readEntry = (bytes: Uint8Array): RecordedEntry =>
  isStateLeaf(bytes)
    ? { transaction: undefined, time: timeOfStateLeaf(bytes) }
    : (readLogEntry(bytes) as unknown as Entry)

/** `verifyTransaction` checks the nesting of transactions again. */
const maxDepth = 64

/** A transaction that is handed to the writer. */
export const writeSubmission = ({ text }: VerifiedTransaction): Buffer => Buffer.from(text)

/** Not verified. Throws `JsonError`. */
export const readSubmission = (bytes: Uint8Array): SignedTransaction =>
  readJson(bytes, { maxDepth }) as unknown as SignedTransaction
