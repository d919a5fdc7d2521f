import { type JsonValue, readStorableJson } from '@millseal/proof'
import { hasDecimalPoint } from '../model/decimal-sign.ts'
import { type Certificate, isObject, type JsonObject } from './read-certificate.ts'

/** Beyond every limit: the depth was checked when the certificate was read. */
const maxDepth = 1_000

/** The certificate with its numbers as text, as written: `1.10` stays `1.10`. */
export const shown = ({ bytes, json, hasOtherNumbers }: Certificate): JsonValue =>
  hasOtherNumbers
    ? readStorableJson(bytes, { maxDepth, numbersAsText: true })
    : withNumbersAsText({ ...json })

/**
 * As `shown`, but with numbers as readers of the languages write them: 2.3e-9 is 2.3·10⁻⁹, and 26.0 is 26,0 if none of
 * the languages has a decimal point.
 */
export const printed = (certificate: Certificate, languages: readonly string[]): JsonValue => {
  const sign = languages.some(hasDecimalPoint) ? '.' : ','
  const write = (number: string): string => powerText(number).replace('.', sign)
  return withNumbers(write, shown(certificate), { ...certificate.json })
}

/** A text stays as it is: only what is a number in the file is written so. Copies only what has such numbers. */
const withNumbers = (write: (number: string) => string, text: JsonValue, read: JsonValue): JsonValue => {
  if (typeof read === 'number') return typeof text === 'string' ? write(text) : text
  if (Array.isArray(read) && Array.isArray(text)) {
    const all = text.map((one, index) => withNumbers(write, one, read[index] ?? null))
    return all.some((one, index) => one !== text[index]) ? all : text
  }
  if (!isObject(read) || !isObject(text)) return text
  let copy: { [key: string]: JsonValue } | undefined
  for (const key in text) {
    const member = text[key] ?? null
    const own = withNumbers(write, member, read[key] ?? null)
    if (own === member) continue
    copy ??= { ...text }
    copy[key] = own
  }
  return copy ?? text
}

const powerText = (text: string): string => {
  const [, digits = '', sign = '', power = ''] = /^(-?[\d.]+)e([+-]?)0*(\d+)$/i.exec(text) ?? []
  if (digits === '') return text
  const raised = [...power].map((digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(digit)])
  return `${digits}·10${sign === '-' ? '⁻' : ''}${raised.join('')}`
}

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
