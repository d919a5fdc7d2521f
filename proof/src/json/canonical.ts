import type { JsonValue } from './read.ts'

/**
 * RFC 8785 canonical JSON. Writes the text directly, because sorting into a new object would lose a `__proto__` key and
 * reorder integer-like keys.
 */
export const canonicalJson = (value: JsonValue): string => {
  if (value === null || typeof value === 'boolean') return String(value)
  if (typeof value === 'number') return canonicalNumber(value)
  if (typeof value === 'string') return canonicalString(value)
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  // RFC 8785 §3.2.3 orders by UTF-16 code units, as `toSorted` does.
  const members = Object.keys(value)
    .toSorted()
    .map((key) => `${canonicalString(key)}:${canonicalJson(value[key] ?? null)}`)
  return `{${members.join(',')}}`
}

const canonicalNumber = (value: number): string => {
  if (!Number.isFinite(value)) throw new TypeError('Only finite numbers have a canonical form')
  return String(value === 0 ? 0 : value)
}

const canonicalString = (value: string): string => {
  if (!value.isWellFormed()) throw new TypeError('A lone surrogate has no canonical form')
  return JSON.stringify(value)
}
