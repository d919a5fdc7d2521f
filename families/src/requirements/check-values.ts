import { because } from '@millseal/contract/reasons'
import { over, plus, type Rational, rational, readDecimal, zero } from '../facts/decimal.ts'
import type { Fact } from '../facts/fact.ts'
import { aboutHeat, grouped, listed, withUnit } from '../self-check/finding.ts'
import { textOf } from './applies.ts'
import { compareWith, isBelow, limitText, type RoundingRule, type Side } from './compare.ts'
import type { CheckLine, Measured, Outcome, RuleWithFacts } from './requirement.ts'
import { convert } from './units.ts'

const sidesOf = (bounds: {
  readonly min?: string
  readonly max?: string
}): readonly { readonly side: Side; readonly limit: string }[] =>
  (['min', 'max'] as const).flatMap((side) => {
    const limit = bounds[side]
    return limit === undefined ? [] : [{ side, limit }]
  })

export const roundingOf = ({ rule, requirement }: RuleWithFacts): RoundingRule =>
  rule.rounding ?? requirement.rounding ?? 'halfEven'

/** Each limit of a rule against each value. */
export const checkValues = (given: RuleWithFacts): readonly CheckLine[] => {
  const { rule, facts } = given
  const hasSeries = rule.mean !== undefined || rule.each !== undefined || rule.atMost !== undefined
  return [
    ...facts.flatMap((fact) => [...checkBounds(given, fact), ...checkText(given, fact)]),
    ...(hasSeries ? testsIn(facts).flatMap((test) => checkSeries(given, test)) : []),
  ]
}

/** A line about a value of the certificate. */
const lineOf = (given: RuleWithFacts, fact: Fact, outcome: Outcome, printed = textOf(fact)): CheckLine => ({
  requirement: given.requirement.name,
  rule: given.place,
  of: given.rule.of,
  heat: fact.heat,
  printed,
  rounding: roundingOf(given),
  pointer: fact.pointer,
  ...outcome,
})

const aboutOf = (given: RuleWithFacts, fact: Fact, value = textOf(fact)) => ({
  property: given.rule.of,
  value,
  about: aboutHeat(fact.heat),
})

const checkBounds = (given: RuleWithFacts, fact: Fact): readonly CheckLine[] =>
  sidesOf(given.rule).map(({ side, limit }) => {
    const { unit } = given.rule
    const asked = { side, limit, unit, rounding: roundingOf(given), about: aboutOf(given, fact) }
    const measured = measuredOf(given, fact)
    const outcome =
      'low' in measured ? compareWith(measured, asked) : { ...measured, limit: limitText(asked) }
    return lineOf(given, fact, outcome)
  })

const checkText = (given: RuleWithFacts, fact: Fact): readonly CheckLine[] => {
  const { oneOf } = given.rule
  if (oneOf === undefined) return []
  const compared = textOf(fact)
  const allowed = listed(oneOf)
  const isMet = oneOf.includes(compared) || oneOf.includes(fact.value)
  const reason = isMet ? undefined : because('check_not_one_of', { ...aboutOf(given, fact), allowed })
  return [
    lineOf(given, fact, { result: isMet ? 'pass' : 'fail', compared, limit: `one of ${allowed}`, reason }),
  ]
}

/** The value in the unit of the rule, or the outcome if it has none there. */
const measuredOf = (given: RuleWithFacts, fact: Fact): Measured | Outcome => {
  const value = valueOf(given, fact, fact.value)
  if ('reason' in value) return value
  const { exact } = value
  if (fact.operator === undefined || fact.operator === '=') return { low: exact, high: exact, isExact: true }
  if (fact.operator.startsWith('<')) return { low: zero, high: exact, isExact: false }
  if (fact.operator.startsWith('>')) return { low: exact, high: undefined, isExact: false }
  return { result: 'unknown', reason: because('check_not_number', aboutOf(given, fact)) }
}

const valueOf = (
  given: RuleWithFacts,
  fact: Fact,
  text: string,
): { readonly exact: Rational } | (Outcome & { readonly reason: NonNullable<Outcome['reason']> }) => {
  const decimal = readDecimal(text)
  const about = aboutOf(given, fact, withUnit(text, fact.unit))
  if (decimal === undefined) return { result: 'unknown', reason: because('check_not_number', about) }
  const exact = rational(decimal)
  const { unit } = given.rule
  if (unit === undefined) return { exact }
  if (fact.unit === undefined) return { result: 'unknown', reason: because('check_no_unit', about) }
  const converted = convert(exact, { from: fact.unit, to: unit })
  if (converted !== undefined) return { exact: converted }
  const values = { property: given.rule.of, printed: fact.unit, unit, about: about.about }
  return { result: 'unknown', reason: because('check_unit', values) }
}

/** The values of one test: those behind a printed mean, or single ones that belong together. */
type Test = { readonly fact: Fact; readonly singles: readonly string[] | undefined }

const isSingle = ({ series, limits }: Fact): boolean =>
  series === undefined && limits !== undefined && limits.min === undefined && limits.max === undefined

const testsIn = (facts: readonly Fact[]): readonly Test[] => [
  ...facts.filter((fact) => !isSingle(fact)).map((fact) => ({ fact, singles: fact.series })),
  ...grouped(facts.filter(isSingle), ({ heat, place, condition, unit }) => [
    heat,
    place,
    condition,
    unit,
  ]).map((group) => ({ fact: group[0], singles: group.map(textWithOperator) })),
]

/** A bounded value is no number, so that no mean is made of it. */
const textWithOperator = ({ operator = '=', value }: Fact): string =>
  operator === '=' ? value : `${operator}${value}`

const checkSeries = (given: RuleWithFacts, { fact, singles }: Test): readonly CheckLine[] => {
  const { mean = {}, each = {}, atMost, unit } = given.rule
  const rounding = roundingOf(given)
  const values = singles?.map((text) => valueOf(given, fact, text))
  const line = (outcome: Outcome, printed?: string) => lineOf(given, fact, outcome, printed)
  const all = singles === undefined ? textOf(fact) : withUnit(listed(singles), fact.unit)
  const compared = (
    value: Measured | Outcome,
    asked: { side: Side; limit: string; what: string },
    text: string,
  ) => {
    const about = aboutOf(given, fact, text)
    return 'low' in value
      ? compareWith(value, { ...asked, unit, rounding, about })
      : { ...value, limit: limitText({ ...asked, unit }) }
  }
  const noSingles = because('check_no_singles', aboutOf(given, fact))
  const meanValue = values === undefined ? measuredOf(given, fact) : meanOf(values)
  const lines = sidesOf(mean).map((bound) => line(compared(meanValue, { ...bound, what: 'mean' }, all), all))
  for (const bound of sidesOf(each)) {
    const asked = { ...bound, what: 'each' }
    if (values === undefined)
      lines.push(line({ result: 'unknown', limit: limitText({ ...asked, unit }), reason: noSingles }))
    for (const [index, value] of (values ?? []).entries()) {
      const text = withUnit(singles?.[index] ?? '', fact.unit)
      lines.push(line(compared('exact' in value ? exactly(value.exact) : value, asked, text), text))
    }
  }
  if (atMost === undefined) return lines
  const limit = ['at most', atMost.count, 'below', atMost.below, unit]
    .filter((part) => part !== undefined)
    .join(' ')
  return [...lines, line(countBelow(given, { fact, values, limit, noSingles }), all)]
}

const exactly = (value: Rational): Measured => ({ low: value, high: value, isExact: true })

type Values = readonly ReturnType<typeof valueOf>[]

const meanOf = (values: Values): Measured | Outcome => {
  const unknown = values.find((value) => 'reason' in value)
  if (unknown !== undefined) return unknown
  const exact = values.flatMap((value) => ('exact' in value ? value.exact : []))
  return exactly(over(exact.reduce(plus, zero), { top: BigInt(exact.length), bottom: 1n }) ?? zero)
}

const countBelow = (
  given: RuleWithFacts,
  about: {
    readonly fact: Fact
    readonly values: Values | undefined
    readonly limit: string
    readonly noSingles: NonNullable<Outcome['reason']>
  },
): Outcome => {
  const { fact, values, limit, noSingles } = about
  const unknown = values?.find((value) => 'reason' in value)
  if (values === undefined || unknown !== undefined)
    return { result: 'unknown', limit, reason: unknown?.reason ?? noSingles }
  const { count = 0, below = '0' } = given.rule.atMost ?? {}
  const low = values.filter(
    (value) => 'exact' in value && isBelow(value.exact, below, roundingOf(given)),
  ).length
  if (low <= count) return { result: 'pass', compared: String(low), limit }
  const shown = withUnit(below, given.rule.unit)
  const sentence = {
    property: given.rule.of,
    count: low,
    limit: shown,
    most: count,
    about: aboutHeat(fact.heat),
  }
  return { result: 'fail', compared: String(low), limit, reason: because('check_too_many_below', sentence) }
}
