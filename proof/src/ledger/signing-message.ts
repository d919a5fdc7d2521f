import { utf8 } from '../encoding/bytes.ts'
import { encodeHex } from '../encoding/hex.ts'
import type { Primitives } from '../primitives.ts'
import { canonicalLedgerText } from './canonical.ts'
import type { SignedTransaction, SpentOutput, UnsignedTransaction } from './transaction.ts'

/** The digest for the owners of each input: the transaction without id and fulfillments, and the output that the input spends. */
export const signingMessages = (
  transaction: SignedTransaction | UnsignedTransaction,
  { sha3_256 }: Primitives,
): readonly Uint8Array[] => {
  const inputs = transaction.inputs.map((input) => ({ ...input, fulfillment: null }))
  const text = canonicalLedgerText({ ...transaction, id: null, inputs })
  return transaction.inputs.map(({ fulfills }) => sha3_256(utf8(text + linkText(fulfills))))
}

const linkText = (fulfills: SpentOutput | null): string =>
  fulfills === null ? '' : `${fulfills.transaction_id}${fulfills.output_index}`

/** The hash of everything except the id, including fulfillments. */
export const transactionId = (transaction: object, { sha3_256 }: Primitives): string =>
  encodeHex(sha3_256(utf8(canonicalLedgerText({ ...transaction, id: null }))))
