import type { JsonValue } from '@millseal/proof'
import { isObject, type JsonObject } from '../certificate/read-certificate.ts'

const maxDepth = 64

/**
 * JSON of a pack. Unlike a certificate, nothing hangs on reading it in one way only, and published schemas do hold keys
 * twice: the last one counts, as everywhere. Throws a `TypeError` with the reason.
 */
export const readPackJson = (bytes: Uint8Array): JsonObject => {
  const value = parse(bytes)
  if (!isObject(value)) throw new TypeError('it is no JSON object')
  check(value, 0)
  return value
}

const parse = (bytes: Uint8Array): JsonValue => {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as JsonValue
  } catch (error) {
    throw new TypeError('it is not JSON in UTF-8', { cause: error })
  }
}

const check = (value: JsonValue, depth: number): void => {
  if (depth > maxDepth) throw new TypeError(`it is deeper than ${maxDepth} levels`)
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    if (key === '__proto__') throw new TypeError('the key "__proto__" is not allowed')
    check(inner, depth + 1)
  }
}
