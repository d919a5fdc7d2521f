import type { Requirement } from '@millseal/contract/requirements'
import { because, type Reason } from '@millseal/contract/reasons'
import {
  compare,
  decimalText,
  type Rational,
  rational,
  readDecimal,
  roundTo,
  zero,
} from '../facts/decimal.ts'
import type { Measured, Outcome } from './requirement.ts'

export type RoundingRule = NonNullable<Requirement['rounding']>

export type Side = 'min' | 'max'

/** More places are not shown. */
const mostPlaces = 9

/** With all of its places, or with the first nine. */
export const exactText = (value: Rational): string => {
  for (let places = 0; places <= mostPlaces; places += 1) {
    const rounded = roundTo(value, places, 'halfEven')
    if (compare(rational(rounded), value) === 0) return decimalText(rounded)
  }
  return `${decimalText(roundTo(value, mostPlaces, 'halfEven'))}…`
}

/** As it is compared with a limit of so many places. */
const roundedFor = (value: Rational, places: number, rounding: RoundingRule) => {
  if (rounding === 'exact') return { value, text: exactText(value) }
  const rounded = roundTo(value, places, rounding)
  return { value: rational(rounded), text: decimalText(rounded) }
}

type Asked = {
  readonly side: Side
  readonly limit: string
  readonly unit: string | undefined
  readonly rounding: RoundingRule
  readonly what?: string
  /** The beginning of each sentence, and the heat at its end. */
  readonly about: {
    readonly property: Reason | string
    readonly value: string
    readonly about: Reason | string
  }
}

/** Passes if every value that is possible does, fails if none does. */
export const compareWith = (measured: Measured, asked: Asked): Outcome => {
  const { side, limit, unit, rounding, about } = asked
  const bound = readDecimal(limit) ?? { digits: 0n, places: 0 }
  const meets = (value: Rational): boolean => {
    const sign = compare(roundedFor(value, bound.places, rounding).value, rational(bound))
    return side === 'max' ? sign <= 0 : sign >= 0
  }
  const [worst, best] = side === 'max' ? [measured.high, measured.low] : [measured.low, measured.high]
  const shown = limitText(asked)
  const compared = (value: Rational): string => roundedFor(value, bound.places, rounding).text
  if (worst !== undefined && meets(worst)) return { result: 'pass', compared: compared(worst), limit: shown }
  const isDecided = measured.isExact || (side === 'max' && best !== undefined && compare(best, zero) > 0)
  if (!isDecided || best === undefined || meets(best))
    return { result: 'unknown', limit: shown, reason: because('check_open', { ...about, limit: shown }) }
  const values = { ...about, limit: [limit, unit].filter(Boolean).join(' ') }
  const reason = side === 'max' ? because('check_above', values) : because('check_below', values)
  return { result: 'fail', compared: compared(best), limit: shown, reason }
}

/** `mean min 27 J`. */
export const limitText = ({ what, side, limit, unit }: Omit<Asked, 'rounding' | 'about'>): string =>
  [what, side, limit, unit].filter(Boolean).join(' ')

/** Whether a single value counts as below a limit. */
export const isBelow = (value: Rational, limit: string, rounding: RoundingRule): boolean => {
  const bound = readDecimal(limit) ?? { digits: 0n, places: 0 }
  return compare(roundedFor(value, bound.places, rounding).value, rational(bound)) < 0
}
