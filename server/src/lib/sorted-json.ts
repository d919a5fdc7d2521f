/**
 * Writes compact JSON with the keys of every object in the order of a JavaScript object with sorted keys: first
 * integer-like keys by number, then the others by UTF-16 code units. So receivers may sign either the raw body or one
 * they parsed and sorted. Does not rebuild objects, because that would lose a member called `__proto__`.
 */
export const sortedJson = (value: unknown): string => write(JSON.parse(JSON.stringify(value)))

const write = (value: unknown): string => {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(write).join(',')}]`
  const members = Object.entries(value)
    .toSorted(([one], [other]) => byPosition(one, other))
    .map(([key, member]) => `${JSON.stringify(key)}:${write(member)}`)
  return `{${members.join(',')}}`
}

const byPosition = (one: string, other: string): number => {
  const [first, second] = [isIndex(one), isIndex(other)]
  if (first && second) return Number(one) - Number(other)
  if (first !== second) return first ? -1 : 1
  return one < other ? -1 : 1
}

const maxIndex = 2 ** 32 - 2

/** An array index (ECMA-262 §6.1.7). JavaScript objects enumerate these first. */
const isIndex = (key: string): boolean => /^(0|[1-9]\d{0,9})$/.test(key) && Number(key) <= maxIndex
