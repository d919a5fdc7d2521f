import type { Primitives } from '../primitives.ts'
import { canonicalMembers, textOfMembers } from './canonical.ts'
import { conditionOf, conditionUri, isSameSet, keysOf } from './condition.ts'
import { object } from './shape.ts'
import { assertId, assertLength, assertSignatures, assertText } from './verify-signed.ts'
import { assertDetails, assertShape } from './whole-shape.ts'
import {
  InvalidTransaction,
  type SignedTransaction,
  type TransactionOutput,
  type UnsignedTransaction,
} from './transaction.ts'

/** Verifies everything that does not depend on the state of the ledger. Throws `InvalidTransaction`. */
export const verifyTransaction = (candidate: unknown, primitives: Primitives): SignedTransaction =>
  verifyWithText(candidate, primitives).transaction

/** A verified transaction and its canonical text. */
export type VerifiedTransaction = { readonly transaction: SignedTransaction; readonly text: string }

/** As `verifyTransaction`, for callers that also need the text. */
export const verifyWithText = (candidate: unknown, primitives: Primitives): VerifiedTransaction => {
  const fields = object(candidate, 'transaction')
  const members = canonicalMembers(fields)
  const text = textOfMembers(members)
  assertLength(text)
  assertId(fields, members, primitives)
  assertShape(fields, assertFulfillment)
  const transaction = fields as SignedTransaction | UnsignedTransaction
  assertContents(transaction, primitives)
  assertSigned(transaction)
  assertSignatures(transaction, members, primitives)
  return { transaction, text }
}

/** Checks that do not need signatures: names, amounts, and owners of outputs. */
export const assertContents = (
  transaction: SignedTransaction | UnsignedTransaction,
  primitives: Primitives,
): void => {
  if (transaction.operation === 'CREATE') assertNames(transaction.asset.data, 'asset')
  assertNames(transaction.metadata, 'metadata')
  for (const output of transaction.outputs) {
    assertAmount(output.amount)
    assertCondition(output, primitives)
  }
  assertSpentOnce(transaction)
}

/** As in BigchainDB, an unsigned input with the condition to fulfill is well-formed. */
const assertFulfillment = (value: unknown, at: string): void => {
  if (typeof value === 'object' && value !== null) return assertDetails(value, at)
  assertText(value, at)
}

function assertSigned(
  transaction: SignedTransaction | UnsignedTransaction,
): asserts transaction is SignedTransaction {
  if (transaction.inputs.some(({ fulfillment }) => typeof fulfillment !== 'string'))
    throw new InvalidTransaction('InvalidSignature', 'Transaction signature is invalid.')
}

const assertNames = (value: unknown, part: 'asset' | 'metadata'): void => {
  if (typeof value !== 'object' || value === null) return
  for (const [name, inner] of Object.entries(value)) {
    if (!Array.isArray(value) && (name.startsWith('$') || name.includes('.') || name.includes('\u0000')))
      throw new InvalidTransaction(
        'ValidationError',
        `Invalid key name "${name.slice(0, 80)}" in ${part} object. ` +
          'The key name cannot contain characters ".", "$" or null characters',
      )
    assertNames(inner, part)
  }
}

const largestAmount = 9n * 10n ** 18n

const assertAmount = (amount: string): void => {
  const value = BigInt(amount)
  if (value < 1n) throw new InvalidTransaction('AmountError', '`amount` must be greater than 0')
  if (value > largestAmount)
    throw new InvalidTransaction('AmountError', `\`amount\` must be <= ${largestAmount}`)
}

const assertCondition = ({ condition, public_keys }: TransactionOutput, primitives: Primitives): void => {
  if (conditionUri(conditionOf(condition.details, primitives)) !== condition.uri)
    throw new InvalidTransaction('ValidationError', 'the URI of a condition does not follow from its details')
  if (!isSameSet(new Set(public_keys), keysOf(condition.details)))
    throw new InvalidTransaction('ValidationError', 'public_keys of an output are not those of its condition')
}

const assertSpentOnce = ({ id, inputs }: SignedTransaction | UnsignedTransaction): void => {
  const spent = inputs.flatMap(({ fulfills }) =>
    fulfills === null ? [] : [`${fulfills.transaction_id}/${fulfills.output_index}`],
  )
  if (new Set(spent).size < spent.length)
    throw new InvalidTransaction('DoubleSpend', `tx "${id ?? ''}" spends inputs twice`)
}
