const maxSafeDigits = 15

/**
 * Whether a double represents the literal exactly. If two different literals became one value, two
 * different documents would have the same hash. `1.10` and `11e-1` are the same number; `0.1234567890123456789` is not exact.
 */
export const isHeldExactly = (literal: string, value: number): boolean => {
  if (!Number.isFinite(value)) return false
  if (/^-?\d+$/.test(literal)) return Number.isSafeInteger(value)
  if (literal.length <= maxSafeDigits && !/[eE]/.test(literal)) return true
  const written = decimal(literal)
  const held = decimal(String(value))
  return written.digits === held.digits && written.exponent === held.exponent
}

/** Digits without leading or trailing zeros, and a power of ten. */
const decimal = (literal: string): { digits: string; exponent: number } => {
  const [mantissa = '', power = '0'] = literal.toLowerCase().replace(/^-/, '').split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const all = whole + fraction
  const withoutTrailing = all.replace(/0+$/, '')
  const digits = withoutTrailing.replace(/^0+/, '')
  if (digits === '') return { digits: '', exponent: 0 }
  return { digits, exponent: Number(power) - fraction.length + (all.length - withoutTrailing.length) }
}
