import { type ConditionDetails, InvalidTransaction } from './transaction.ts'
import { deepestThreshold } from './condition.ts'

/** Checks the shape of a transaction by the rules of the schema files of BigchainDB. */
export const assertShape = (value: Fields, fulfillment: (value: unknown, at: string) => void): void => {
  assertKeys(value, transactionKeys, '')
  const { operation } = value
  if (operation !== 'CREATE' && operation !== 'TRANSFER')
    throw invalid(`'operation': ${shown(operation)} is not one of ['CREATE', 'TRANSFER']`)
  if (value['version'] !== '2.0')
    throw invalid(`'version': ${shown(value['version'])} does not match '^2\\.0$'`)
  assertAsset(value['asset'], operation)
  const { metadata } = value
  if (metadata !== null && Object.keys(object(metadata, 'metadata')).length === 0)
    throw invalid("'metadata': {} does not have enough properties; without metadata write null")
  const inputs = list(value['inputs'], 'inputs')
  if (operation === 'CREATE' && inputs.length > 1) throw invalid("'inputs' is too long: a CREATE has one")
  for (const [index, input] of inputs.entries()) {
    const at = `inputs/${index}`
    const fields = object(input, at)
    assertKeys(fields, ['owners_before', 'fulfills', 'fulfillment'], at)
    keys(fields['owners_before'], `${at}/owners_before`)
    fulfillment(fields['fulfillment'], `${at}/fulfillment`)
    assertFulfills(fields['fulfills'], operation, `${at}/fulfills`)
  }
  for (const [index, output] of list(value['outputs'], 'outputs').entries())
    assertOutput(output, `outputs/${index}`)
}

export type Fields = { readonly [key: string]: unknown }

const transactionKeys = ['id', 'inputs', 'outputs', 'operation', 'metadata', 'asset', 'version']

const assertAsset = (value: unknown, operation: 'CREATE' | 'TRANSFER'): void => {
  const asset = object(value, 'asset')
  if (operation === 'TRANSFER') {
    assertKeys(asset, ['id'], 'asset')
    assertTransactionId(asset['id'], 'asset/id')
    return
  }
  assertKeys(asset, ['data'], 'asset')
  if (asset['data'] !== null) object(asset['data'], 'asset/data')
}

const assertFulfills = (value: unknown, operation: 'CREATE' | 'TRANSFER', at: string): void => {
  if (operation === 'CREATE') {
    if (value !== null) throw invalid(`'${at}': a CREATE spends nothing, so it is null`)
    return
  }
  const fulfills = object(value, at)
  assertKeys(fulfills, ['transaction_id', 'output_index'], at)
  assertTransactionId(fulfills['transaction_id'], `${at}/transaction_id`)
  const { output_index: index } = fulfills
  if (typeof index !== 'number' || !Number.isSafeInteger(index) || index < 0)
    throw invalid(`'${at}/output_index': ${shown(index)} is not a place in a list`)
}

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

export const object = (value: unknown, at: string): Fields => {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalid(`'${at}': ${shown(value)} is not of type 'object'`)
  return value as Fields
}

const list = (value: unknown, at: string): readonly unknown[] => {
  if (!Array.isArray(value)) throw invalid(`'${at}': ${shown(value)} is not of type 'array'`)
  if (value.length === 0) throw invalid(`'${at}' is empty`)
  return value
}

const keys = (value: unknown, at: string): void => {
  for (const [index, item] of list(value, at).entries()) key(item, `${at}/${index}`)
}

const key = (value: unknown, at: string): void => {
  if (typeof value !== 'string' || !/^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(value))
    throw invalid(`'${at}': ${shown(value)} is not a public key in base58`)
}

const assertTransactionId = (value: unknown, at: string): void => {
  if (typeof value !== 'string' || !/^[0-9a-f]{64}$/.test(value))
    throw invalid(`'${at}': ${shown(value)} does not match '[0-9a-f]{64}'`)
}

const assertKeys = (fields: Fields, wanted: readonly string[], at: string): void => {
  const place = at === '' ? '' : `'${at}': `
  for (const name of wanted)
    if (!Object.hasOwn(fields, name)) throw invalid(`${place}'${name}' is a required property`)
  for (const name of Object.keys(fields))
    if (!wanted.includes(name))
      throw invalid(`${place}Additional properties are not allowed (${shown(name)} was unexpected)`)
}

/** Formats a value as Python does, shortened, because it comes from a stranger. */
const shown = (value: unknown): string => {
  if (value === undefined) return 'nothing'
  if (typeof value === 'string') return `'${value.slice(0, 80)}'`
  return typeof value === 'number' || typeof value === 'boolean' || value === null ? String(value) : 'a value'
}

const invalid = (reason: string): InvalidTransaction =>
  new InvalidTransaction('SchemaValidationError', reason)
