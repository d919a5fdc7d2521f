import {
  compare,
  greatest,
  halfUnit,
  least,
  minus,
  over,
  plus,
  type Rational,
  rational,
  readDecimal,
  times,
  zero,
} from '../facts/decimal.ts'

import type { Fact } from '../facts/fact.ts'

/** What a value may have been before it was rounded to what is printed. Without `high` nothing bounds it. */
export type Interval = { readonly low: Rational; readonly high: Rational | undefined }

export const unbounded: Interval = { low: zero, high: undefined }

const percents: Readonly<Record<string, Rational>> = {
  '%': { top: 1n, bottom: 1n },
  ppm: { top: 1n, bottom: 10_000n },
}

/** Of a share in per cent, which is never negative. Undefined if it is no number. */
export const intervalOf = ({ value, operator = '=', unit = '%' }: Fact): Interval | undefined => {
  const decimal = readDecimal(value)
  const factor = percents[unit.toLowerCase()]
  if (decimal === undefined || factor === undefined) return undefined
  const [exact, half] = [rational(decimal), halfUnit(decimal)]
  const high = times(plus(exact, half), factor)
  const low = times(greatest(minus(exact, half), zero), factor)
  if (operator.startsWith('<')) return { low: zero, high }
  return { low, high: operator.startsWith('>') ? undefined : high }
}

/** Covers both: which of two values of an element a formula means is not known. */
export const hull = (one: Interval, other: Interval): Interval => ({
  low: least(one.low, other.low),
  high: one.high === undefined || other.high === undefined ? undefined : greatest(one.high, other.high),
})

export const sum = (one: Interval, other: Interval): Interval => ({
  low: plus(one.low, other.low),
  high: one.high === undefined || other.high === undefined ? undefined : plus(one.high, other.high),
})

export const difference = (one: Interval, other: Interval): Interval | undefined =>
  other.high === undefined
    ? undefined
    : {
        low: minus(one.low, other.high),
        high: one.high === undefined ? undefined : minus(one.high, other.low),
      }

const isNegative = ({ low }: Interval): boolean => compare(low, zero) < 0

export const product = (one: Interval, other: Interval): Interval | undefined =>
  isNegative(one) || isNegative(other)
    ? undefined
    : {
        low: times(one.low, other.low),
        high: one.high === undefined || other.high === undefined ? undefined : times(one.high, other.high),
      }

/** Undefined if the divisor may be zero. */
export const quotient = (one: Interval, other: Interval): Interval | undefined => {
  if (isNegative(one) || compare(other.low, zero) <= 0) return undefined
  const low = other.high === undefined ? zero : over(one.low, other.high)
  const high = one.high === undefined ? undefined : over(one.high, other.low)
  return low === undefined ? undefined : { low, high }
}

/** Whether no rounding leads from one to the other. Where they only touch, none does either. */
export const isApart = (one: Interval, other: Interval): boolean =>
  (one.high !== undefined && compare(one.high, other.low) <= 0) ||
  (other.high !== undefined && compare(other.high, one.low) <= 0)
