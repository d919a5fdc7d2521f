import { plainLine, readJson, type SignedTransaction, verifyTransaction } from '@millseal/proof'
import { nodePrimitives } from '../../../lib/primitives.ts'
import { LedgerUnavailable, type OutputReference } from '../../../ports/ledger/ledger.ts'

const maxDepth = 80

/** What a network answers is the word of a stranger: it is read here, and nothing else of it is used. */
export const readAnswer = (bytes: Uint8Array): unknown => {
  try {
    return readJson(bytes, { maxDepth })
  } catch (cause) {
    throw unbelievable('what it sent is not JSON', cause)
  }
}

/** Checked in full, its id and its signatures; what it depends on is for the network to have checked. */
export const readTransaction = (value: unknown): SignedTransaction => {
  try {
    return verifyTransaction(value, nodePrimitives)
  } catch (cause) {
    throw unbelievable('it sent a transaction that does not verify', cause)
  }
}

export const readList = (value: unknown): readonly unknown[] => {
  if (!Array.isArray(value)) throw unbelievable('it sent no list')
  return value
}

export const readHeight = (value: unknown): number | undefined => {
  const [height] = readList(value)
  if (height === undefined) return undefined
  if (typeof height !== 'number' || !Number.isSafeInteger(height) || height < 0)
    throw unbelievable('the height of a block is no number')
  return height
}

export const readOutput = (value: unknown): OutputReference => {
  const { transaction_id: transactionId, output_index: outputIndex } = fieldsOf(value)
  if (
    !isTransactionId(transactionId) ||
    typeof outputIndex !== 'number' ||
    !Number.isSafeInteger(outputIndex)
  )
    throw unbelievable('what it sent is no output')
  return { transactionId, outputIndex }
}

export const readId = (value: unknown): string => {
  const { id } = fieldsOf(value)
  if (!isTransactionId(id)) throw unbelievable('what it sent has no id')
  return id
}

const longestReason = 1_000

/** Why a request was refused; any text, on one short line: it is kept, logged and mailed. */
export const readReason = (value: unknown): string => {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  const message = isObject ? fieldsOf(value)['message'] : value
  const text = typeof message === 'string' ? message : JSON.stringify(message ?? 'no reason given')
  return plainLine(text, longestReason)
}

export const isTransactionId = (value: unknown): value is string =>
  typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)

export const unbelievable = (reason: string, cause?: unknown): LedgerUnavailable =>
  new LedgerUnavailable(`The network cannot be believed: ${reason}`, { cause })

const fieldsOf = (value: unknown): { readonly [key: string]: unknown } => {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw unbelievable('it sent no object')
  return value as { readonly [key: string]: unknown }
}
