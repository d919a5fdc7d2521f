import { type JsonValue, readJson } from '@millseal/proof'
import { type Certificate, isObject, type JsonObject } from './read-certificate.ts'

/** Deeper than any limit of a reader: what is shown was read before. */
const maxDepth = 1_000

/** The certificate with its numbers as they were written: `1.10` stays `1.10`. */
export const shown = ({ bytes }: Pick<Certificate, 'bytes'>): JsonValue =>
  readJson(bytes, { maxDepth, storable: true, numbersAsText: true })

type Value = JsonValue | JsonObject | undefined

/** What lies at a path, or nothing; a path through something else than objects leads nowhere. */
export const at = (value: Value, ...path: readonly string[]): JsonValue | undefined => {
  let place: Value = value
  for (const key of path) {
    if (!isObject(place) || !Object.hasOwn(place, key)) return undefined
    place = place[key]
  }
  return place
}

/** Text that is worth showing: a string that is not blank, or a number or truth value as it stands. */
export const textAt = (value: Value, ...path: readonly string[]): string | undefined => {
  const found = at(value, ...path)
  if (typeof found === 'number' || typeof found === 'boolean') return String(found)
  if (typeof found !== 'string') return undefined
  const text = found.trim()
  return text === '' ? undefined : text
}

/** The elements of a list; where one value may stand for a list of one, that value. */
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
