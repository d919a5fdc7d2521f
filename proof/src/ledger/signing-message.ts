import { utf8 } from '../encoding/bytes.ts'
import { encodeHex } from '../encoding/hex.ts'
import type { Primitives } from '../primitives.ts'
import { type CanonicalMembers, canonicalMembers, textOfMembers } from './canonical.ts'
import type { SignedTransaction, SpentOutput, UnsignedTransaction } from './transaction.ts'

type Signable = SignedTransaction | UnsignedTransaction

/** The digest for the owners of each input: the transaction without id and fulfillments, and the output that the input spends. */
export const signingMessages = (transaction: Signable, primitives: Primitives): readonly Uint8Array[] =>
  messagesOf(transaction, canonicalMembers(transaction), primitives)

/** The same for a transaction whose members are written already. */
export const messagesOf = (
  { inputs }: Signable,
  members: CanonicalMembers,
  { sha3_256 }: Primitives,
): readonly Uint8Array[] => {
  const unsigned = inputs.map((input) => ({ ...input, fulfillment: null }))
  const text = textOfMembers(members, { id: null, inputs: unsigned })
  return inputs.map(({ fulfills }) => sha3_256(utf8(text + linkText(fulfills))))
}

const linkText = (fulfills: SpentOutput | null): string =>
  fulfills === null ? '' : `${fulfills.transaction_id}${fulfills.output_index}`

/** The hash of everything except the id, including fulfillments. */
export const transactionId = (transaction: object, primitives: Primitives): string =>
  idOf(canonicalMembers({ ...transaction, id: null }), primitives)

export const idOf = (members: CanonicalMembers, { sha3_256 }: Primitives): string =>
  encodeHex(sha3_256(utf8(textOfMembers(members, { id: null }))))
