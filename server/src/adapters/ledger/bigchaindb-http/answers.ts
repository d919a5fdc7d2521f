import { because } from '@millseal/contract/reasons'
import { plainLine, readJson, type SignedTransaction, verifyTransaction } from '@millseal/proof'
import { nodePrimitives } from '@millseal/proof/node'
import { LedgerUnavailable, type OutputReference } from '../../../ports/ledger/ledger.ts'

const maxDepth = 80

/** The answers of a network are not trusted: only what is parsed and checked here is used. */
export const readAnswer = (bytes: Uint8Array): unknown => {
  try {
    return readJson(bytes, { maxDepth })
  } catch (cause) {
    throw untrusted('its answer is not JSON', cause)
  }
}

/** Verifies the id and the signatures. The network has to check the transactions it depends on. */
export const readTransaction = (value: unknown): SignedTransaction => {
  try {
    return verifyTransaction(value, nodePrimitives)
  } catch (cause) {
    throw untrusted('it sent a transaction that cannot be verified', cause)
  }
}

export const readList = (value: unknown): readonly unknown[] => {
  if (!Array.isArray(value)) throw untrusted('its answer is not a list')
  return value
}

export const readHeight = (value: unknown): number | undefined => {
  const [height] = readList(value)
  if (height === undefined) return undefined
  if (typeof height !== 'number' || !Number.isSafeInteger(height) || height < 0)
    throw untrusted('the height of a block is not a number')
  return height
}

export const readOutput = (value: unknown): OutputReference => {
  const { transaction_id: transactionId, output_index: outputIndex } = fieldsOf(value)
  if (
    !isTransactionId(transactionId) ||
    typeof outputIndex !== 'number' ||
    !Number.isSafeInteger(outputIndex)
  )
    throw untrusted('its answer contains something that is not an output')
  return { transactionId, outputIndex }
}

export const readId = (value: unknown): string => {
  const { id } = fieldsOf(value)
  if (!isTransactionId(id)) throw untrusted('its answer contains an object without an id')
  return id
}

const maxReasonLength = 1_000

/** The reason of a refusal as one short line, because it is stored, logged and mailed. */
export const readReason = (value: unknown): string => {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  const message = isObject ? fieldsOf(value)['message'] : value
  const text = typeof message === 'string' ? message : JSON.stringify(message ?? 'no reason given')
  return plainLine(text, maxReasonLength)
}

export const isTransactionId = (value: unknown): value is string =>
  typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)

export const untrusted = (reason: string, cause?: unknown): LedgerUnavailable =>
  new LedgerUnavailable(because('network_untrusted', { why: reason }), { cause })

const fieldsOf = (value: unknown): { readonly [key: string]: unknown } => {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw untrusted('its answer contains something that is not an object')
  return value as { readonly [key: string]: unknown }
}
