import type { Primitives } from '../primitives.ts'
import { conditionUri, isSameSet } from './condition.ts'
import { fulfilledCondition, readFulfillment } from './fulfillment.ts'
import {
  InvalidTransaction,
  type SignedTransaction,
  type SpentOutput,
  type TransactionOutput,
} from './transaction.ts'

/** The state of a ledger. Synchronous, so that nothing can change between a check and the append. */
export type LedgerState = {
  findTransaction(id: string): SignedTransaction | undefined
  isSpent(output: SpentOutput): boolean
}

/** Checks a verified transaction against the state of the ledger. Throws `InvalidTransaction`. */
export const checkAgainst = (
  transaction: SignedTransaction,
  state: LedgerState,
  primitives: Primitives,
): void => {
  if (state.findTransaction(transaction.id) !== undefined)
    throw new InvalidTransaction('DuplicateTransaction', `transaction \`${transaction.id}\` already exists`)
  if (transaction.operation === 'CREATE') return
  const spent = transaction.inputs.map(({ fulfills }) => findSpendable(fulfills, state))
  assertOneAsset(
    transaction.asset.id,
    spent.map(({ origin }) => assetIdOf(origin)),
  )
  assertBalance(
    spent.map(({ output }) => output),
    transaction.outputs,
  )
  for (const [index, { fulfillment, owners_before: owners }] of transaction.inputs.entries()) {
    const output = spent[index]?.output
    const uri = conditionUri(fulfilledCondition(readFulfillment(fulfillment), primitives))
    if (uri !== output?.condition.uri)
      throw new InvalidTransaction('InvalidSignature', 'Transaction signature is invalid.')
    if (!isSameSet(new Set(owners), new Set(output.public_keys)))
      throw new InvalidTransaction('InvalidSignature', 'owners_before are not the owners of the spent output')
  }
}

/** The id of the CREATE: the transaction itself, or its origin. */
export const assetIdOf = (transaction: SignedTransaction): string =>
  transaction.operation === 'CREATE' ? transaction.id : transaction.asset.id

const findSpendable = (
  spent: SpentOutput,
  state: LedgerState,
): { readonly origin: SignedTransaction; readonly output: TransactionOutput } => {
  const id = spent.transaction_id
  const origin = state.findTransaction(id)
  const output = origin?.outputs[spent.output_index]
  if (origin === undefined || output === undefined)
    throw new InvalidTransaction('InputDoesNotExist', `input \`${id}\` doesn't exist`)
  if (state.isSpent(spent)) throw new InvalidTransaction('DoubleSpend', `input \`${id}\` was already spent`)
  return { origin, output }
}

const assertOneAsset = (named: string, spent: readonly string[]): void => {
  if (new Set(spent).size > 1)
    throw new InvalidTransaction(
      'AssetIdMismatch',
      'All inputs of all transactions passed need to have the same asset id',
    )
  if (spent.some((id) => id !== named))
    throw new InvalidTransaction(
      'AssetIdMismatch',
      'The asset id of the input does not match the asset id of the transaction',
    )
}

const assertBalance = (inputs: readonly TransactionOutput[], outputs: readonly TransactionOutput[]): void => {
  const [available, wanted] = [sum(inputs), sum(outputs)]
  if (available !== wanted)
    throw new InvalidTransaction(
      'AmountError',
      `The amount used in the inputs \`${available}\` needs to be same as the amount used in the outputs \`${wanted}\``,
    )
}

const sum = (outputs: readonly TransactionOutput[]): bigint =>
  outputs.reduce((total, { amount }) => total + BigInt(amount), 0n)
