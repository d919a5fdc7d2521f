import { deepestThreshold } from './condition.ts'
import {
  assertAsset,
  assertInputs,
  assertKeys,
  assertOperation,
  type Fields,
  invalid,
  key,
  keys,
  list,
  object,
  shown,
} from './shape.ts'
import { type ConditionDetails, InvalidTransaction } from './transaction.ts'

/** Checks the whole shape of a transaction. */
export const assertShape = (value: Fields, fulfillment: (value: unknown, at: string) => void): void => {
  assertKeys(value, transactionKeys, '')
  const { operation, metadata } = value
  assertOperation(operation)
  if (value['version'] !== '2.0')
    throw invalid(`'version': ${shown(value['version'])} does not match '^2\\.0$'`)
  assertAsset(value['asset'], operation)
  if (metadata !== null && Object.keys(object(metadata, 'metadata')).length === 0)
    throw invalid("'metadata': {} does not have enough properties; without metadata write null")
  assertInputs(value['inputs'], operation, fulfillment)
  for (const [index, output] of list(value['outputs'], 'outputs').entries())
    assertOutput(output, `outputs/${index}`)
}

const transactionKeys = ['id', 'inputs', 'outputs', 'operation', 'metadata', 'asset', 'version']

const assertOutput = (value: unknown, at: string): void => {
  const output = object(value, at)
  assertKeys(output, ['amount', 'condition', 'public_keys'], at)
  const { amount } = output
  if (typeof amount !== 'string' || !/^[0-9]{1,20}$/.test(amount))
    throw invalid(`'${at}/amount': ${shown(amount)} does not match '^[0-9]{1,20}$'`)
  keys(output['public_keys'], `${at}/public_keys`)
  const condition = object(output['condition'], `${at}/condition`)
  assertKeys(condition, ['details', 'uri'], `${at}/condition`)
  if (typeof condition['uri'] !== 'string') throw invalid(`'${at}/condition/uri' is not a text`)
  assertDetails(condition['details'], `${at}/condition/details`)
}

export function assertDetails(
  value: unknown,
  at: string,
  { depth = 0, maySign = false } = {},
): asserts value is ConditionDetails {
  const details = object(value, at)
  if (details['type'] === 'ed25519-sha-256') {
    const isSigned = maySign && typeof details['signature'] === 'string'
    assertKeys(details, ['type', 'public_key', ...(isSigned ? ['signature'] : [])], at)
    key(details['public_key'], `${at}/public_key`)
    return
  }
  if (details['type'] !== 'threshold-sha-256')
    throw invalid(`'${at}/type': ${shown(details['type'])} is neither ed25519-sha-256 nor threshold-sha-256`)
  if (depth >= deepestThreshold)
    throw new InvalidTransaction('ThresholdTooDeep', 'thresholds nested too deeply')
  assertKeys(details, ['type', 'threshold', 'subconditions'], at)
  const inner = list(details['subconditions'], `${at}/subconditions`)
  const { threshold } = details
  if (typeof threshold !== 'number' || !Number.isInteger(threshold) || threshold < 1 || threshold > 100)
    throw invalid(`'${at}/threshold': ${shown(threshold)} is not an integer from 1 to 100`)
  if (threshold > inner.length) throw invalid(`'${at}/threshold': more than there are subconditions`)
  for (const [index, item] of inner.entries())
    assertDetails(item, `${at}/subconditions/${index}`, { depth: depth + 1, maySign })
}
