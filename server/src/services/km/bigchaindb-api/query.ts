import { BigchaindbError } from './bigchaindb-error.ts'

export type RequestQuery = Readonly<Record<string, string | readonly string[] | undefined>>

type Reader<T> = (text: string) => T

/**
 * Reads one argument. An error that `read` throws is answered under the name of the argument. If the argument is
 * repeated, the first value counts, and all must be valid.
 */
export const optional = <T>(query: RequestQuery, name: string, read: Reader<T>): T | undefined => {
  const value = query[name]
  if (value === undefined) return undefined
  try {
    return [value].flat().map(read)[0]
  } catch (error) {
    throw new BigchaindbError(
      400,
      { [name]: error instanceof Error ? error.message : 'invalid' },
      { bare: true },
    )
  }
}

export const required = <T>(query: RequestQuery, name: string, read: Reader<T>): T => {
  const value = optional(query, name, (text) => ({ read: read(text) }))
  if (value !== undefined) return value.read
  const reason = 'Missing required parameter in the JSON body or the post body or the query string'
  throw new BigchaindbError(400, { [name]: reason }, { bare: true })
}

/** Some operations reject unknown arguments. */
export const assertOnly = (query: RequestQuery, ...known: readonly string[]): void => {
  const unknown = Object.keys(query).filter((name) => !known.includes(name))
  if (unknown.length > 0)
    throw new BigchaindbError(400, `Unknown arguments: ${unknown.join(', ')}`, { bare: true })
}

export const asText: Reader<string> = (text) => text

export const asTransactionId: Reader<string> = (text) => {
  if (!/^[a-fA-F0-9]{64}$/.test(text)) throw new Error('Invalid hash')
  return text.toLowerCase()
}

export const asBoolean: Reader<boolean> = (text) => {
  const lower = text.toLowerCase()
  if (lower !== 'true' && lower !== 'false')
    throw new Error('Boolean value must be "true" or "false" (lowercase)')
  return lower === 'true'
}

export const asPublicKey: Reader<string> = (text) => {
  if (!/^[1-9A-HJ-NP-Za-km-z]{43,44}$/.test(text)) throw new Error('Invalid base58 ed25519 key')
  return text
}

export const asOperation: Reader<'CREATE' | 'TRANSFER'> = (text) => {
  const upper = text.toUpperCase()
  if (upper !== 'CREATE' && upper !== 'TRANSFER') throw new Error('Operation must be "CREATE" or "TRANSFER"')
  return upper
}

export const asMode: Reader<'async' | 'sync' | 'commit'> = (text) => {
  if (text !== 'async' && text !== 'sync' && text !== 'commit')
    throw new Error('Mode must be "async", "sync" or "commit"')
  return text
}

export const asCount: Reader<number> = (text) => {
  if (!/^\d{1,9}$/.test(text))
    throw new Error(`invalid literal for int() with base 10: '${text.slice(0, 40)}'`)
  return Number(text)
}
