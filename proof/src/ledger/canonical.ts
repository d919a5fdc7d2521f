import { InvalidTransaction } from './transaction.ts'

/** Protects the stack against deeply nested input. */
const deepest = 64

/**
 * The text that is hashed and signed, equal to `rapidjson.dumps(sort_keys=True, ensure_ascii=False)`. Rejects numbers other
 * than safe integers, because Python and JavaScript write them differently.
 */
export const canonicalLedgerText = (value: unknown): string => write(value, 0)

/** The text of each member of an object, by name, in canonical order. */
export type CanonicalMembers = ReadonlyMap<string, string>

export const canonicalMembers = (value: object): CanonicalMembers =>
  new Map(sortedEntries(value).map(([name, member]) => [name, `${writeString(name)}:${write(member, 1)}`]))

/** The text of the object. `replaced`: other values for members that it has. */
export const textOfMembers = (members: CanonicalMembers, replaced: object = {}): string => {
  const others = canonicalMembers(replaced)
  let text = ''
  for (const [name, member] of members) text += `${text && ','}${others.get(name) ?? member}`
  return `{${text}}`
}

const write = (value: unknown, depth: number): string => {
  if (typeof value === 'string') return writeString(value)
  if (value === null || typeof value === 'boolean') return String(value)
  if (typeof value === 'number') return writeNumber(value)
  if (typeof value !== 'object')
    throw invalid(`a value of type ${typeof value} has no place in a transaction`)
  if (depth >= deepest) throw invalid(`more than ${deepest} levels`)
  let text = ''
  if (Array.isArray(value)) {
    for (const item of value) text += `${text && ','}${write(item, depth + 1)}`
    return `[${text}]`
  }
  for (const [name, member] of sortedEntries(value))
    text += `${text && ','}${writeString(name)}:${write(member, depth + 1)}`
  return `{${text}}`
}

const sortedEntries = (value: object): [string, unknown][] =>
  Object.entries(value).toSorted(([a], [b]) => byCodePoints(a, b))

const writeNumber = (value: number): string => {
  if (!Number.isSafeInteger(value) || Object.is(value, -0))
    throw invalid(`the number ${Object.is(value, -0) ? '-0' : value} is not a safe integer; write it as text`)
  return String(value)
}

const escapes = /\\u00([0-9a-f]{2})|\\[^u]/g

/** Printable ASCII without quotation mark and backslash: nearly every text of a transaction. */
const plain = /^[ !#-[\]-~]*$/

/** rapidjson writes \u001B where JavaScript writes \u001b. */
const writeString = (value: string): string => {
  if (plain.test(value)) return `"${value}"`
  if (!value.isWellFormed()) throw invalid('a lone surrogate is not text')
  const text = JSON.stringify(value)
  return text.includes('\\u')
    ? text.replace(escapes, (escape, hex: string | undefined) =>
        hex === undefined ? escape : `\\u00${hex.toUpperCase()}`,
      )
    : text
}

/** The order of UTF-8 bytes. `<` compares UTF-16 units and puts U+1F600 before U+FB33. */
const byCodePoints = (a: string, b: string): number => {
  const shared = Math.min(a.length, b.length)
  for (let at = 0; at < shared; at += 1) {
    const left = a.charCodeAt(at)
    const right = b.charCodeAt(at)
    if (left === right) continue
    if (isSurrogate(left) === isSurrogate(right)) return left - right
    return isSurrogate(left) ? 1 : -1
  }
  return a.length - b.length
}

const isSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdfff

const invalid = (reason: string): InvalidTransaction => new InvalidTransaction('ValidationError', reason)
