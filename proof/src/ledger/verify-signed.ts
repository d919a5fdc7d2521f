import { utf8 } from '../encoding/bytes.ts'
import { encodeHex } from '../encoding/hex.ts'
import type { Primitives } from '../primitives.ts'
import { type CanonicalMembers, canonicalMembers, textOfMembers } from './canonical.ts'
import { ed25519Condition, isSameSet, readOwner } from './condition.ts'
import { isFulfilled, leavesOf, readFulfillment } from './fulfillment.ts'
import { assertAsset, assertInputs, assertOperation, type Fields, invalid, object } from './shape.ts'
import { idOf, messagesOf } from './signing-message.ts'
import { InvalidTransaction, largestTransactionBytes, type SignedTransaction } from './transaction.ts'

/**
 * Verifies what a transaction proves in a bundle: its id, its asset, and who signed it. Outputs, metadata and conditions mean
 * nothing there. Throws `InvalidTransaction`.
 */
export const verifySigned = (candidate: unknown, primitives: Primitives): SignedTransaction => {
  const fields = object(candidate, 'transaction')
  const members = canonicalMembers(fields)
  assertLength(textOfMembers(members))
  assertId(fields, members, primitives)
  const { operation, version } = fields
  assertOperation(operation)
  if (version !== '2.0') throw invalid("'version' is not 2.0")
  assertAsset(fields['asset'], operation)
  assertInputs(fields['inputs'], operation, assertText)
  const transaction = fields as SignedTransaction
  assertSignatures(transaction, members, primitives)
  return transaction
}

export const assertText = (value: unknown, at: string): void => {
  if (typeof value !== 'string' || !/^[a-zA-Z0-9_-]*$/.test(value))
    throw new InvalidTransaction('SchemaValidationError', `'${at}' does not match '^[a-zA-Z0-9_-]*$'`)
}

export const assertLength = (text: string): void => {
  const { length } = utf8(text)
  if (length > largestTransactionBytes)
    throw new InvalidTransaction(
      'ValidationError',
      `the transaction has ${length} bytes, more than ${largestTransactionBytes}`,
    )
}

export const assertId = ({ id }: Fields, members: CanonicalMembers, primitives: Primitives): void => {
  if (id === undefined) throw new InvalidTransaction('InvalidHash', 'No transaction id found!')
  if (id === idOf(members, primitives)) return
  const named = typeof id === 'string' ? id.slice(0, 64) : 'None'
  throw new InvalidTransaction(
    'InvalidHash',
    `The transaction's id '${named}' isn't equal to the hash of its body, i.e. it's not valid.`,
  )
}

/** BigchainDB does not compare `owners_before` with the key that signed, but without this check anyone could claim to be the owner. */
export const assertSignatures = (
  transaction: SignedTransaction,
  members: CanonicalMembers,
  primitives: Primitives,
): void => {
  const messages = messagesOf(transaction, members, primitives)
  for (const [index, { fulfillment, owners_before: owners }] of transaction.inputs.entries()) {
    const read = readFulfillment(fulfillment)
    const message = messages[index]
    if (message === undefined || !isFulfilled(read, message, primitives))
      throw new InvalidTransaction('InvalidSignature', 'Transaction signature is invalid.')
    const owning = new Set(
      owners.map((owner) => encodeHex(ed25519Condition(readOwner(owner), primitives).fingerprint)),
    )
    const leaves = leavesOf(read, primitives)
    const signing = new Set(
      leaves.flatMap(({ kind, fingerprint }) => (kind === 'ed25519' ? [encodeHex(fingerprint)] : [])),
    )
    const hasUnopened = leaves.some(({ kind }) => kind === 'threshold')
    const isOwned = hasUnopened ? [...signing].every((leaf) => owning.has(leaf)) : isSameSet(signing, owning)
    if (!isOwned)
      throw new InvalidTransaction('InvalidSignature', 'owners_before are not the keys of the fulfillment')
  }
}
