import { because } from '@millseal/contract/reasons'
import { compare, rational, readDecimal, zero } from '../facts/decimal.ts'
import type { Fact } from '../facts/fact.ts'
import { elements } from '../facts/names.ts'
import { formulas } from '../self-check/calculated.ts'
import { aboutHeat, grouped } from '../self-check/finding.ts'
import { evaluate } from '../self-check/formula.ts'
import { hull, type Interval } from '../self-check/interval.ts'
import { textOf } from './applies.ts'
import { roundingOf } from './check-values.ts'
import { compareWith, limitText } from './compare.ts'
import type { CheckLine, Measured, Outcome, RuleWithFacts } from './requirement.ts'
import { convert } from './units.ts'

/** The analyses from which a carbon equivalent can be calculated: those with carbon. */
export const analysesIn = (all: readonly Fact[]): readonly (readonly [Fact, ...Fact[]])[] =>
  grouped(
    all.filter(({ of }) => elements.has(of)),
    ({ heat, place }) => [heat, place],
  ).filter((analysis) => analysis.some(({ of }) => of === 'C'))

/** A carbon equivalent of one analysis, from its elements and not from what is printed. */
export const checkCalculated = (
  given: RuleWithFacts,
  analysis: readonly [Fact, ...Fact[]],
): readonly CheckLine[] => {
  const { rule, place, requirement } = given
  const { of, min, max, unit, ifMissing } = rule
  const formula = formulas[of] ?? ''
  const names = [...new Set(formula.match(/[A-Z][a-z]?/g))]
  const absent = names.filter((name) => !analysis.some((fact) => fact.of === name))
  const about = { property: of, about: aboutHeat(analysis[0].heat) }
  const line = (outcome: Outcome): CheckLine => ({
    requirement: requirement.name,
    rule: place,
    of,
    heat: analysis[0].heat,
    printed: names
      .flatMap((name) => analysis.filter((fact) => fact.of === name))
      .map((fact) => `${fact.of} ${textOf(fact)}`)
      .join(', '),
    rounding: roundingOf(given),
    pointer: analysis[0].pointer.replace(/\/[^/]*$/, ''),
    ...outcome,
  })
  const elementsText = absent.join(', ')
  if (absent.length > 0 && ifMissing !== 'pass')
    return [
      line({ result: 'missing', reason: because('check_no_elements', { ...about, elements: elementsText }) }),
    ]
  const result = calculate(formula, analysis, of)
  const assumed = absent.length === 0 ? undefined : because('check_taken_as_0', { elements: elementsText })
  return [{ side: 'min', limit: min } as const, { side: 'max', limit: max } as const].flatMap(
    ({ side, limit }) => {
      if (limit === undefined) return []
      const asked = { side, limit, unit, rounding: roundingOf(given) }
      if (!('low' in result)) return line({ ...result, limit: limitText(asked) })
      const value = `(${formula})`
      const outcome = compareWith(result, { ...asked, about: { ...about, value } })
      return line({ ...outcome, reason: outcome.reason ?? assumed })
    },
  )
}

const calculate = (formula: string, analysis: readonly Fact[], of: string): Measured | Outcome => {
  const intervals = new Map<string, Interval>()
  for (const fact of analysis) {
    const interval = intervalOf(fact)
    if (interval === undefined && formula.includes(fact.of)) {
      const values = { property: of, value: `${fact.of} ${textOf(fact)}`, about: aboutHeat(fact.heat) }
      return { result: 'unknown', reason: because('check_not_number', values) }
    }
    const known = intervals.get(fact.of)
    if (interval !== undefined) intervals.set(fact.of, known === undefined ? interval : hull(known, interval))
  }
  const { low, high } = evaluate(formula, (name) => intervals.get(name) ?? none) ?? none
  return { low, high, isExact: high !== undefined && compare(low, high) === 0 }
}

const none: Interval = { low: zero, high: zero }

/** In per cent. */
const intervalOf = ({ value, operator = '=', unit }: Fact): Interval | undefined => {
  const decimal = readDecimal(value)
  const exact = decimal && convert(rational(decimal), { from: unit ?? '', to: '%' })
  if (exact === undefined) return undefined
  if (operator === '=') return { low: exact, high: exact }
  if (operator.startsWith('<')) return { low: zero, high: exact }
  return operator.startsWith('>') ? { low: exact, high: undefined } : undefined
}
