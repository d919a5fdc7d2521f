import type { JsonValue } from '@millseal/proof'
import { isObject, type JsonObject } from '../certificate/read-certificate.ts'

const one = new Set([
  'not',
  'if',
  'then',
  'else',
  'items',
  'contains',
  'additionalItems',
  'additionalProperties',
  'propertyNames',
  'unevaluatedItems',
  'unevaluatedProperties',
])
const many = new Set(['allOf', 'anyOf', 'oneOf', 'items', 'prefixItems'])
const named = new Set([
  'properties',
  'patternProperties',
  'definitions',
  '$defs',
  'dependentSchemas',
  'dependencies',
])
/** Keywords whose sub-schemas apply to the same value as the schema itself. */
const inPlaceKeywords = new Set([
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
  'dependentSchemas',
  'dependencies',
])

export type SubSchema = { readonly pointer: string; readonly schema: JsonObject; readonly inPlace: boolean }

/** The direct sub-schemas of a schema. */
export const subSchemas = (schema: JsonObject, pointer: string): readonly SubSchema[] =>
  Object.entries(schema).flatMap(([keyword, value]) => {
    const inPlace = inPlaceKeywords.has(keyword)
    const here = `${pointer}/${escapePointer(keyword)}`
    const within = (entries: readonly (readonly [string, JsonValue])[]): SubSchema[] =>
      entries.flatMap(([name, inner]) =>
        isObject(inner) ? [{ pointer: `${here}/${escapePointer(name)}`, schema: inner, inPlace }] : [],
      )
    if (Array.isArray(value)) {
      return many.has(keyword) ? within(value.map((inner, index) => [String(index), inner])) : []
    }
    if (!isObject(value)) return []
    if (one.has(keyword)) return [{ pointer: here, schema: value, inPlace }]
    return named.has(keyword) ? within(Object.entries(value)) : []
  })

/** Replaces each direct sub-schema. */
export const mapSubSchemas = (schema: JsonObject, change: (inner: JsonObject) => JsonObject): JsonObject => {
  const changed = (value: JsonValue): JsonValue => (isObject(value) ? { ...change(value) } : value)
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (Array.isArray(value)) return [keyword, many.has(keyword) ? value.map(changed) : value]
      if (!isObject(value)) return [keyword, value]
      if (one.has(keyword)) return [keyword, changed(value)]
      if (!named.has(keyword)) return [keyword, value]
      return [
        keyword,
        Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, changed(inner)])),
      ]
    }),
  )
}

export const escapePointer = (part: string): string => part.replaceAll('~', '~0').replaceAll('/', '~1')
