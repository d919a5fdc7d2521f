/** A number as it is written: 355.0 is 3550 with one place. */
export type Decimal = { readonly digits: bigint; readonly places: number }

/** An exact fraction; the bottom is positive. */
export type Rational = { readonly top: bigint; readonly bottom: bigint }

/** `halfEven` is rule A of ISO 80000-1 and ASTM E29, `halfUp` is rule B. */
export type Rounding = 'halfEven' | 'halfUp'

/** More would only cost time: no measured value has so many digits. */
const [longest, largestPower] = [60, 60]

/** Undefined for text that is no number, and for `1,234`, which may be a thousand or more than one. */
export const readDecimal = (text: string): Decimal | undefined => {
  const [, sign = '', whole = '', mark = '', fraction = '', power = '0'] =
    /^([+-]?)(\d+)(?:([.,])(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? []
  if (whole === '' || text.length > longest || Math.abs(Number(power)) > largestPower) return undefined
  if (mark === ',' && fraction.length === 3 && /[1-9]/.test(whole)) return undefined
  const digits = BigInt(`${sign === '-' ? '-' : ''}${whole}${fraction}`)
  const places = fraction.length - Number(power)
  return places < 0 ? { digits: digits * 10n ** BigInt(-places), places: 0 } : { digits, places }
}

export const rational = ({ digits, places }: Decimal): Rational => ({
  top: digits,
  bottom: 10n ** BigInt(places),
})

/** Powers of ten stay powers of ten, so that a long sum has no long bottom. */
export const plus = (one: Rational, other: Rational): Rational => {
  if (one.bottom < other.bottom) return plus(other, one)
  const factor = one.bottom / other.bottom
  if (factor * other.bottom === one.bottom) return { top: one.top + other.top * factor, bottom: one.bottom }
  return { top: one.top * other.bottom + other.top * one.bottom, bottom: one.bottom * other.bottom }
}

export const minus = (one: Rational, other: Rational): Rational => plus(one, { ...other, top: -other.top })

export const times = (one: Rational, other: Rational): Rational => ({
  top: one.top * other.top,
  bottom: one.bottom * other.bottom,
})

/** Undefined for a division by zero. */
export const over = (one: Rational, other: Rational): Rational | undefined => {
  if (other.top === 0n) return undefined
  const sign = other.top < 0n ? -1n : 1n
  return { top: one.top * other.bottom * sign, bottom: one.bottom * other.top * sign }
}

/** Negative, zero or positive, as for `sort`. */
export const compare = (one: Rational, other: Rational): number => {
  const difference = one.top * other.bottom - other.top * one.bottom
  if (difference === 0n) return 0
  return difference < 0n ? -1 : 1
}

export const least = (one: Rational, other: Rational): Rational => (compare(one, other) <= 0 ? one : other)
export const greatest = (one: Rational, other: Rational): Rational => (compare(one, other) >= 0 ? one : other)

export const zero: Rational = { top: 0n, bottom: 1n }

/** Half a unit in the last place: how far a number can be from what was rounded to it. */
export const halfUnit = ({ places }: Decimal): Rational => ({ top: 1n, bottom: 2n * 10n ** BigInt(places) })

/** Rounded once, from the exact fraction. */
export const roundTo = ({ top, bottom }: Rational, places: number, rounding: Rounding): Decimal => {
  const scaled = (top < 0n ? -top : top) * 10n ** BigInt(places)
  const [floor, twice] = [scaled / bottom, (scaled % bottom) * 2n]
  const isUp = twice > bottom || (twice === bottom && (rounding === 'halfUp' || floor % 2n === 1n))
  const digits = isUp ? floor + 1n : floor
  return { digits: top < 0n ? -digits : digits, places }
}

export const decimalText = ({ digits, places }: Decimal): string => {
  const text = (digits < 0n ? -digits : digits).toString().padStart(places + 1, '0')
  const fraction = places === 0 ? '' : `.${text.slice(-places)}`
  return `${digits < 0n ? '-' : ''}${text.slice(0, text.length - places)}${fraction}`
}
