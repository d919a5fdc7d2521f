import { canonicalLedgerText, readJson, type SignedTransaction, verifyTransaction } from '@millseal/proof'
import { nodePrimitives } from '@millseal/proof/node'

/** The leaf of the log: the text whose hash is the id, with the id filled in. */
export const writeEntry = (transaction: SignedTransaction): Uint8Array =>
  Buffer.from(canonicalLedgerText(transaction))

/** `verifyTransaction` checks the nesting of transactions again. */
const maxDepth = 64

/** Reads an entry without checking signatures. The caller has compared its hash with the tree. */
export const readEntry = (entry: Uint8Array): SignedTransaction =>
  readJson(entry, { maxDepth }) as unknown as SignedTransaction

/** Reads an entry and checks its id and signatures. Throws `InvalidTransaction` or `JsonError`. */
export const readVerifiedEntry = (entry: Uint8Array): SignedTransaction =>
  verifyTransaction(readJson(entry, { maxDepth }), nodePrimitives)
