import { canonicalLedgerText, readJson, type SignedTransaction, verifyTransaction } from '@millseal/proof'
import { nodePrimitives } from '../../../lib/primitives.ts'

/** The leaf of the log: exactly the text that was hashed to make the id, with the id in it. */
export const writeEntry = (transaction: SignedTransaction): Uint8Array =>
  Buffer.from(canonicalLedgerText(transaction))

/** Nesting of the original's transactions is checked again by `verifyTransaction`. */
const maxDepth = 64

/** What an entry says, without checking signatures: for whoever has checked its hash against the tree. */
export const readEntry = (entry: Uint8Array): SignedTransaction =>
  readJson(entry, { maxDepth }) as unknown as SignedTransaction

/** Its id and its signatures checked; throws `InvalidTransaction` or `JsonError`. */
export const readVerifiedEntry = (entry: Uint8Array): SignedTransaction =>
  verifyTransaction(readJson(entry, { maxDepth }), nodePrimitives)
