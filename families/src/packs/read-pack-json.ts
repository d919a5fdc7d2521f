import type { JsonValue } from '@millseal/proof'
import { isObject, type JsonObject } from '../certificate/read-certificate.ts'

const maxDepth = 64

/**
 * Reads JSON of a pack, throws a `TypeError` with the reason. Duplicate keys are allowed, because published schemas
 * have some and a pack is not hashed as a certificate is; the last one counts.
 */
export const readPackJson = (bytes: Uint8Array): JsonObject => {
  const value = parse(bytes)
  if (!isObject(value)) throw new TypeError('must be a JSON object')
  check(value, 0)
  return value
}

const parse = (bytes: Uint8Array): JsonValue => {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as JsonValue
  } catch (error) {
    throw new TypeError('must be JSON in UTF-8', { cause: error })
  }
}

const check = (value: JsonValue, depth: number): void => {
  if (depth > maxDepth) throw new TypeError(`is nested more than ${maxDepth} levels deep`)
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    if (key === '__proto__') throw new TypeError('must not contain the key "__proto__"')
    check(inner, depth + 1)
  }
}
