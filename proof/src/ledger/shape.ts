import { InvalidTransaction } from './transaction.ts'

/** Shapes of the parts of a transaction by the rules of the schema files of BigchainDB. */

export type Fields = { readonly [key: string]: unknown }
export type Operation = 'CREATE' | 'TRANSFER'

export const assertOperation: (value: unknown) => asserts value is Operation = (value) => {
  if (value !== 'CREATE' && value !== 'TRANSFER')
    throw invalid(`'operation': ${shown(value)} is not one of ['CREATE', 'TRANSFER']`)
}

export const assertInputs = (
  value: unknown,
  operation: Operation,
  fulfillment: (value: unknown, at: string) => void,
): void => {
  const inputs = list(value, 'inputs')
  if (operation === 'CREATE' && inputs.length > 1) throw invalid("'inputs' is too long: a CREATE has one")
  for (const [index, input] of inputs.entries()) {
    const at = `inputs/${index}`
    const fields = object(input, at)
    assertKeys(fields, ['owners_before', 'fulfills', 'fulfillment'], at)
    keys(fields['owners_before'], `${at}/owners_before`)
    fulfillment(fields['fulfillment'], `${at}/fulfillment`)
    assertFulfills(fields['fulfills'], operation, `${at}/fulfills`)
  }
}

export const assertAsset = (value: unknown, operation: Operation): void => {
  const asset = object(value, 'asset')
  if (operation === 'TRANSFER') {
    assertKeys(asset, ['id'], 'asset')
    assertTransactionId(asset['id'], 'asset/id')
    return
  }
  assertKeys(asset, ['data'], 'asset')
  if (asset['data'] !== null) object(asset['data'], 'asset/data')
}

const assertFulfills = (value: unknown, operation: Operation, at: string): void => {
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

export const object = (value: unknown, at: string): Fields => {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalid(`'${at}': ${shown(value)} is not of type 'object'`)
  return value as Fields
}

export const list = (value: unknown, at: string): readonly unknown[] => {
  if (!Array.isArray(value)) throw invalid(`'${at}': ${shown(value)} is not of type 'array'`)
  if (value.length === 0) throw invalid(`'${at}' is empty`)
  return value
}

export const keys = (value: unknown, at: string): void => {
  for (const [index, item] of list(value, at).entries()) key(item, `${at}/${index}`)
}

export const key = (value: unknown, at: string): void => {
  if (typeof value !== 'string' || !/^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(value))
    throw invalid(`'${at}': ${shown(value)} is not a public key in base58`)
}

const assertTransactionId = (value: unknown, at: string): void => {
  if (typeof value !== 'string' || !/^[0-9a-f]{64}$/.test(value))
    throw invalid(`'${at}': ${shown(value)} does not match '[0-9a-f]{64}'`)
}

export const assertKeys = (fields: Fields, wanted: readonly string[], at: string): void => {
  const place = at === '' ? '' : `'${at}': `
  for (const name of wanted)
    if (!Object.hasOwn(fields, name)) throw invalid(`${place}'${name}' is a required property`)
  for (const name of Object.keys(fields))
    if (!wanted.includes(name))
      throw invalid(`${place}Additional properties are not allowed (${shown(name)} was unexpected)`)
}

/** Formats a value as Python does, shortened, because it comes from a stranger. */
export const shown = (value: unknown): string => {
  if (value === undefined) return 'nothing'
  if (typeof value === 'string') return `'${value.slice(0, 80)}'`
  return typeof value === 'number' || typeof value === 'boolean' || value === null ? String(value) : 'a value'
}

export const invalid = (reason: string): InvalidTransaction =>
  new InvalidTransaction('SchemaValidationError', reason)
