import { because } from '@millseal/contract/reasons'
import {
  compare,
  decimalText,
  halfUnit,
  minus,
  over,
  plus,
  type Rational,
  rational,
  readDecimal,
  roundTo,
  zero,
} from '../facts/decimal.ts'
import type { Fact } from '../facts/fact.ts'
import { chemicalName, elements } from '../facts/names.ts'
import { aboutHeat, grouped, listed, named, quoted, type SelfCheckFinding, withUnit } from './finding.ts'
import { evaluate } from './formula.ts'
import { hull, type Interval, intervalOf, isApart, unbounded } from './interval.ts'

const weight = 'does_not_add_up' as const

/** Printed means that are not the mean of the values beside them, however those were rounded. */
export const wrongMeans = (facts: readonly Fact[]): readonly SelfCheckFinding[] =>
  facts.flatMap((fact) => {
    const mean = readDecimal(fact.value)
    const values = (fact.series ?? []).map(readDecimal)
    const known = values.filter((value) => value !== undefined)
    if (mean === undefined || known.length === 0 || known.length < values.length) return []
    if ((fact.operator ?? '=') !== '=') return []
    const count = { top: BigInt(known.length), bottom: 1n }
    const exact = over(known.map(rational).reduce(plus), count)
    const halves = over(known.map(halfUnit).reduce(plus), count)
    if (exact === undefined || halves === undefined) return []
    const possible = around(exact, halves)
    if (!isApart(around(rational(mean), halfUnit(mean)), possible)) return []
    const { unit, heat, pointer, series = [] } = fact
    const [printed, against] = [
      withUnit(fact.value, unit),
      withUnit(decimalText(roundTo(exact, mean.places, 'halfEven')), unit),
    ]
    const reason = because('own_mean', {
      property: named(fact),
      values: listed(series),
      mean: against,
      printed,
      about: aboutHeat(heat),
    })
    return [{ weight, heat, property: fact.of, printed, against, pointer, reason }]
  })

const around = (value: Rational, half: Rational): Interval => ({
  low: minus(value, half),
  high: plus(value, half),
})

/** CEV of the International Institute of Welding, CET of EN 1011-2, Pcm of Ito and Bessyo. */
export const formulas: Readonly<Record<string, string>> = {
  CEV: 'C + Mn/6 + (Cr+Mo+V)/5 + (Ni+Cu)/15',
  CET: 'C + (Mn+Mo)/10 + (Cr+Cu)/20 + Ni/40',
  Pcm: 'C + Si/30 + (Mn+Cu+Cr)/20 + Ni/60 + Mo/15 + V/10 + 5B',
}

const isShare = ({ of, formula }: Fact): boolean =>
  elements.has(of) || formula !== undefined || of in formulas

/** The shares of one analysis, as far as the facts say that it is one. */
const analyses = (facts: readonly Fact[]) =>
  grouped(facts.filter(isShare), ({ heat, place }) => [heat, place])

export const wrongFormulas = (facts: readonly Fact[]): readonly SelfCheckFinding[] =>
  analyses(facts).flatMap((analysis) => {
    const intervals = new Map<string, Interval>()
    for (const fact of analysis) {
      const interval = intervalOf(fact) ?? unbounded
      const known = intervals.get(fact.of)
      intervals.set(fact.of, known === undefined ? interval : hull(known, interval))
    }
    return analysis.flatMap((fact) => wrongFormula(fact, intervals))
  })

const wrongFormula = (fact: Fact, intervals: ReadonlyMap<string, Interval>): readonly SelfCheckFinding[] => {
  const formula = fact.formula ?? formulas[fact.of]
  const [printed, decimal] = [intervalOf(fact), readDecimal(fact.value)]
  if (formula === undefined || printed === undefined || decimal === undefined) return []
  const lookup = (name: string): Interval | undefined => {
    const of = chemicalName(name)
    return intervals.get(of) ?? (elements.has(of) ? unbounded : undefined)
  }
  const possible = evaluate(formula, lookup)
  if (possible === undefined || !isApart(printed, possible)) return []
  const middle = evaluate(formula, (name) => pointOf(lookup(name)))
  const rounded = roundTo(middle?.low ?? possible.low, decimal.places, 'halfEven')
  const { unit, heat, pointer } = fact
  const [shown, against] = [withUnit(fact.value, unit), withUnit(decimalText(rounded), unit)]
  const values = { property: named(fact), printed: shown, formula: quoted(formula), result: against }
  const about = aboutHeat(heat)
  const reason =
    possible.high === undefined
      ? because('own_formula_least', { ...values, about })
      : because('own_formula', { ...values, about })
  return [{ weight, heat, property: fact.of, printed: shown, against, pointer, reason }]
}

/** The printed value, which is the middle of what it may have been; the least where nothing bounds it. */
const pointOf = (interval: Interval | undefined): Interval | undefined => {
  if (interval?.high === undefined) return interval
  const middle = over(plus(interval.low, interval.high), { top: 2n, bottom: 1n }) ?? zero
  return { low: middle, high: middle }
}

const hundred: Rational = { top: 100n, bottom: 1n }

/** Mass fractions of one analysis that are more than all of it, whatever was rounded. */
export const sumsAbove100 = (facts: readonly Fact[]): readonly SelfCheckFinding[] =>
  analyses(facts).flatMap((analysis) => {
    const shares = new Map<string, Interval>()
    for (const fact of analysis) {
      const interval = elements.has(fact.of) ? intervalOf(fact) : undefined
      if (interval === undefined) continue
      const known = shares.get(fact.of)
      shares.set(fact.of, known === undefined || compare(interval.low, known.low) < 0 ? interval : known)
    }
    const [all, [first]] = [[...shares.values()], analysis]
    if (compare(all.map(({ low }) => low).reduce(plus, zero), hundred) <= 0) return []
    const total = all.map((share) => pointOf(share)?.low ?? zero).reduce(plus, zero)
    const text = shortest(total)
    const { heat, pointer } = first
    const reason = because('own_sum', { sum: text, about: aboutHeat(heat) })
    return [
      { weight, heat, property: 'mass fractions', printed: `${text} %`, against: '100 %', pointer, reason },
    ]
  })

/** A sum of decimals with all of its places. */
const shortest = (value: Rational): string => {
  const places = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].find(
    (count) => compare(rational(roundTo(value, count, 'halfEven')), value) === 0,
  )
  return decimalText(roundTo(value, places ?? 9, 'halfEven'))
}
