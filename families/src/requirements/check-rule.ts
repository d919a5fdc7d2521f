import type { Requirement } from '@millseal/contract/requirements'
import { because } from '@millseal/contract/reasons'
import type { Fact } from '../facts/fact.ts'
import { aboutHeat } from '../self-check/finding.ts'
import { appliesTo } from './applies.ts'
import { analysesIn, checkCalculated } from './check-calculated.ts'
import { checkValues } from './check-values.ts'
import { findFacts, heatsWithout } from './find-facts.ts'
import type { CheckLine, PlacedRule } from './requirement.ts'

/** What the rules read: a fact for each value, and what a JSON pointer with `*` leads to. */
export type Stated = {
  readonly facts: readonly Fact[]
  readonly valuesAt: (pointer: string) => readonly Fact[]
}

/** The lines of one rule; none if it does not apply to the dimensions of the certificate. */
export const checkRule = (placed: PlacedRule, stated: Stated): readonly CheckLine[] => {
  const { rule } = placed
  const applies = appliesTo(placed, stated.facts)
  if (applies.kind === 'no') return []
  const base = { requirement: placed.requirement.name, rule: placed.place, of: rule.of }
  if (applies.kind === 'missing' || applies.kind === 'unknown') {
    const reason = because('check_depends', { property: rule.of, dimension: applies.dimension })
    return [{ ...base, result: applies.kind, reason }]
  }
  const lines = rule.calculated === true ? calculated(placed, stated) : compared(placed, stated)
  return applies.kind === 'to some' ? lines.map((line) => unlessFailed(line, applies)) : lines
}

const unlessFailed = (
  line: CheckLine,
  { dimension, value }: { dimension: string; value: string },
): CheckLine =>
  line.result !== 'fail'
    ? line
    : {
        ...line,
        result: 'unknown',
        reason: because('check_sizes', { reason: line.reason ?? '', dimension, value }),
      }

const compared = (placed: PlacedRule, { facts: all, valuesAt }: Stated): readonly CheckLine[] => {
  const { rule, place, requirement } = placed
  const base = { requirement: requirement.name, rule: place, of: rule.of }
  const stated = rule.of.startsWith('/') ? valuesAt(rule.of) : all
  const found = findFacts(placed, stated, rule.of)
  if (found.facts === undefined) return [{ ...base, ...found.instead }]
  const { facts } = found
  const lines = checkValues({ ...placed, facts })
  // A rule without limits asks for a value only.
  const present: readonly CheckLine[] =
    lines.length > 0 ? lines : facts.map(({ heat, pointer }) => ({ ...base, result: 'pass', heat, pointer }))
  return [...present, ...absentLines(placed, { facts, all })]
}

const absentLines = (
  { rule, place, requirement }: PlacedRule,
  given: { readonly facts: readonly Fact[]; readonly all: readonly Fact[] },
): readonly CheckLine[] =>
  rule.ifMissing === 'pass'
    ? []
    : heatsWithout(rule.of, given).map((heat) => ({
        requirement: requirement.name,
        rule: place,
        of: rule.of,
        heat,
        result: 'missing',
        reason: because('check_missing', { property: rule.of, about: aboutHeat(heat) }),
      }))

const calculated = (placed: PlacedRule, { facts: all }: Stated): readonly CheckLine[] => {
  const analyses = analysesIn(all)
  const [first] = analyses
  if (first === undefined) return [withoutAnalysis(placed)]
  const facts = analyses.map(([fact]) => fact)
  return [
    ...analyses.flatMap((analysis) => checkCalculated({ ...placed, facts }, analysis)),
    ...absentLines(placed, { facts, all }),
  ]
}

const withoutAnalysis = ({ rule, place, requirement }: PlacedRule): CheckLine => {
  const base = { requirement: requirement.name, rule: place, of: rule.of }
  if (rule.ifMissing === 'pass') return { ...base, result: 'pass' }
  const reason = because('check_no_elements', { property: rule.of, elements: 'C', about: '' })
  return { ...base, result: 'missing', reason }
}

/** The rules of a requirement, with their places; those of `anyOf` as one list each. */
export const rulesOf = (requirement: Requirement): readonly (readonly PlacedRule[])[] =>
  requirement.rules.map(({ anyOf, ...own }, index) => {
    const place = `/rules/${index}`
    return anyOf === undefined
      ? [{ rule: { ...own, of: own.of ?? '' }, place, requirement }]
      : anyOf.map((rule, at) => ({
          rule: { ...rule, of: rule.of ?? '' },
          place: `${place}/anyOf/${at}`,
          requirement,
        }))
  })
