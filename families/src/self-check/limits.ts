import { because, type Reason } from '@millseal/contract/reasons'
import { compare, type Decimal, rational, readDecimal, type Rounding, roundTo } from '../facts/decimal.ts'
import type { Fact, Limit } from '../facts/fact.ts'
import { aboutHeat, grouped, named, type SelfCheckFinding, withUnit } from './finding.ts'

/** Values outside the limits that are printed beside them, or beside the same property of another heat. */
export const outsideLimits = (facts: readonly Fact[]): readonly SelfCheckFinding[] =>
  grouped(facts, ({ of, unit, condition, place }) => [of, unit, condition, place]).flatMap((property) => {
    const shared = limitsOfAll(property)
    return property.flatMap((fact) => {
      const { min, max } = fact.limits ?? (fact.heat === undefined ? {} : shared)
      return [...outside(fact, min, 'min'), ...outside(fact, max, 'max')]
    })
  })

/** Printed for one heat or for several, and never differently. */
const limitsOfAll = (property: readonly Fact[]): NonNullable<Fact['limits']> => {
  const printed = property.flatMap(({ limits = {} }) =>
    limits.min === undefined && limits.max === undefined ? [] : limits,
  )
  const [first = {}, ...others] = printed
  return others.every((other) => JSON.stringify(other) === JSON.stringify(first)) ? first : {}
}

const outside = (fact: Fact, limit: Limit | undefined, side: 'min' | 'max'): readonly SelfCheckFinding[] => {
  const [value, bound] = [readDecimal(fact.value), readDecimal(limit?.value ?? '')]
  if (limit === undefined || value === undefined || bound === undefined) return []
  if (!isDecided(fact.operator ?? '=', side)) return []
  const excess = excessOf(value, bound) * (side === 'max' ? 1 : -1)
  const isStrict = limit.operator === '<' || limit.operator === '>'
  if (excess < 0 || (excess === 0 && !isStrict)) return []
  const { unit, heat, pointer } = fact
  const printed = withUnit(fact.value, unit)
  const shown = withUnit(isStrict ? `${limit.operator} ${limit.value}` : limit.value, unit)
  const values = { property: named(fact), value: printed, limit: shown, about: aboutHeat(heat) }
  const reason = isStrict ? because('own_limit', values) : ownLimit(side, values)
  const weight = 'outside_own_limits'
  return [{ weight, heat, property: fact.of, printed, against: shown, pointer, reason }]
}

const ownLimit = (
  side: 'min' | 'max',
  values: { property: Reason | string; value: string; limit: string; about: Reason | string },
): Reason => (side === 'max' ? because('own_maximum', values) : because('own_minimum', values))

/** `<0.005` says nothing against a minimum, nor against a lower maximum. */
const isDecided = (operator: string, side: 'min' | 'max'): boolean =>
  operator === '=' || (side === 'max' && operator.startsWith('>'))

/** Negative below the limit, 0 at it. Limits such as 355 and 0.025 ask to round the value to their places (ISO 80000-1). */
const excessOf = (value: Decimal, limit: Decimal): number => {
  const exact = compare(rational(value), rational(limit))
  if (limit.places > 0 && Math.abs(Number(limit.digits)) < 10) return exact
  const roundings: readonly Rounding[] = ['halfEven', 'halfUp']
  return value.places > limit.places &&
    roundings.some((rounding) => roundTo(rational(value), limit.places, rounding).digits === limit.digits)
    ? 0
    : exact
}
