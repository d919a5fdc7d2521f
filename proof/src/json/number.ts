/** A double holds every decimal of so many digits between the two bounds, and gives the same digits back (IEEE 754). */
const safeDigits = 15
const [least, greatest] = [1e-300, 1e300]

/**
 * Whether a double represents the literal exactly. If two different literals became one value, two
 * different documents would have the same hash. `1.10` and `11e-1` are the same number; `0.1234567890123456789` is not exact.
 */
export const isHeldExactly = (literal: string, value: number): boolean => {
  const magnitude = Math.abs(value)
  if (literal.length <= safeDigits && magnitude >= least && magnitude <= greatest) return true
  if (!Number.isFinite(value)) return false
  if (value === 0) return /^-?[0.]+(?:[eE]|$)/.test(literal)
  if (/^-?\d+$/.test(literal)) return Number.isSafeInteger(value)
  const held = String(value)
  if (held === literal) return true
  const [written, shortest] = [decimal(literal), decimal(held)]
  return written.digits === shortest.digits && written.exponent === shortest.exponent
}

/** Digits without leading or trailing zeros, and a power of ten. */
const decimal = (literal: string): { digits: string; exponent: number } => {
  const end = literal.search(/[eE]|$/)
  const point = literal.indexOf('.')
  const fraction = point === -1 ? 0 : end - point - 1
  let [from, to] = [literal.startsWith('-') ? 1 : 0, end]
  while (isZeroOrPoint(literal[from])) from += 1
  let zeros = 0
  while (isZeroOrPoint(literal[to - 1])) {
    to -= 1
    if (to !== point) zeros += 1
  }
  const power = Number(literal.slice(end + 1))
  return { digits: literal.slice(from, to).replace('.', ''), exponent: power - fraction + zeros }
}

const isZeroOrPoint = (character: string | undefined): boolean => character === '0' || character === '.'
