import { because } from '@millseal/contract/reasons'
import type { JsonValue } from '@millseal/proof'
import { FileUnusable } from './file-unusable.ts'
import { isObject, type JsonObject } from '../certificate/read-certificate.ts'

const maxDepth = 64

/**
 * Reads JSON of a pack, throws `FileUnusable`. Duplicate keys are allowed, because published schemas
 * have some and a pack is not hashed as a certificate is; the last one counts.
 */
export const readPackJson = (bytes: Uint8Array): JsonObject => {
  const value = parse(bytes)
  if (!isObject(value)) throw new FileUnusable(because('file_not_object'))
  check(value, 0)
  return value
}

const parse = (bytes: Uint8Array): JsonValue => {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as JsonValue
  } catch (error) {
    throw new FileUnusable(because('file_not_json'), { cause: error })
  }
}

const check = (value: JsonValue, depth: number): void => {
  if (depth > maxDepth) throw new FileUnusable(because('file_too_deep', { most: maxDepth }))
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    if (key === '__proto__') throw new FileUnusable(because('file_has_forbidden_key'))
    check(inner, depth + 1)
  }
}
