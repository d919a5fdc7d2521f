import { type JsonValue, readStorableJson } from '@millseal/proof'
import { type Certificate, isObject, type JsonObject } from './read-certificate.ts'

/** Beyond every limit: the depth was checked when the certificate was read. */
const maxDepth = 1_000

/** The certificate with its numbers as text, as written: `1.10` stays `1.10`. */
export const shown = ({ bytes, json, hasOtherNumbers }: Certificate): JsonValue =>
  hasOtherNumbers
    ? readStorableJson(bytes, { maxDepth, numbersAsText: true })
    : withNumbersAsText({ ...json })

/** Copies only what has numbers. */
const withNumbersAsText = (value: JsonValue): JsonValue => {
  if (typeof value === 'number') return String(value)
  if (Array.isArray(value)) return value.map(withNumbersAsText)
  if (!isObject(value)) return value
  let copy: { [key: string]: JsonValue } | undefined
  for (const key in value) {
    const member = value[key] ?? null
    if (typeof member === 'string') continue
    const text = withNumbersAsText(member)
    if (text === member) continue
    copy ??= { ...value }
    copy[key] = text
  }
  return copy ?? value
}

type Value = JsonValue | JsonObject | undefined

/** The value at a path of object keys; undefined if there is none. */
export const at = (value: Value, ...path: readonly string[]): JsonValue | undefined => {
  let place: Value = value
  for (const key of path) {
    if (!isObject(place) || !Object.hasOwn(place, key)) return undefined
    place = place[key]
  }
  return place
}

/** The trimmed text, number or boolean at a path; undefined if it is blank. */
export const textAt = (value: Value, ...path: readonly string[]): string | undefined => {
  const found = path.length === 0 ? value : at(value, ...path)
  if (typeof found === 'number' || typeof found === 'boolean') return String(found)
  if (typeof found !== 'string') return undefined
  const text = found.trim()
  return text === '' ? undefined : text
}

/** The elements of the array at a path; a single value counts as an array of one. */
export const listAt = (value: Value, ...path: readonly string[]): readonly JsonValue[] => {
  const found = at(value, ...path)
  if (found === undefined || found === null) return []
  return Array.isArray(found) ? found : [found]
}

export const textsAt = (value: Value, ...path: readonly string[]): readonly string[] =>
  listAt(value, ...path).flatMap((element) => textAt(element) ?? [])

export const entriesAt = (
  value: Value,
  ...path: readonly string[]
): readonly (readonly [string, JsonValue])[] => {
  const found = at(value, ...path)
  return isObject(found) ? Object.entries(found) : []
}
