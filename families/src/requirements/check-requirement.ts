import type { Requirement } from '@millseal/contract/requirements'
import { type CheckResult, checkResults } from '@millseal/contract/vocabulary'
import { because } from '@millseal/contract/reasons'
import { aboutHeat } from '../self-check/finding.ts'
import { textOf } from './applies.ts'
import { checkRule, rulesOf, type Stated } from './check-rule.ts'
import type { CheckLine, PlacedRule } from './requirement.ts'

export const worstOf = (lines: readonly { readonly result: CheckResult }[]): CheckResult =>
  checkResults.find((result) => lines.some((line) => line.result === result)) ?? 'unknown'

/** Every rule of a requirement. What no rule covers although one exists for other dimensions is unknown. */
export const checkRules = (requirement: Requirement, stated: Stated): readonly CheckLine[] => {
  const checked = rulesOf(requirement).map((alternatives) => ({
    alternatives,
    lines: linesOf(alternatives, stated),
  }))
  const names = [...new Set(checked.map(({ alternatives }) => nameOf(alternatives)))]
  const uncovered = names.flatMap((name) => {
    const about = checked.filter(({ alternatives }) => nameOf(alternatives) === name)
    const [first] = about.flatMap(({ alternatives }) => alternatives)
    const isCovered = about.some(({ lines }) => lines.length > 0)
    return isCovered || first === undefined ? [] : [uncoveredLine(first, name, stated)]
  })
  return [...checked.flatMap(({ lines }) => lines), ...uncovered]
}

const nameOf = (alternatives: readonly PlacedRule[]): string =>
  [...new Set(alternatives.map(({ rule }) => rule.of))].join(', ')

const uncoveredLine = (
  { rule, place, requirement }: PlacedRule,
  of: string,
  { facts }: Stated,
): CheckLine => {
  const names = Object.keys(rule.when ?? {})
  const sizes = facts.filter((fact) => names.includes(fact.of)).map((fact) => `${fact.of} ${textOf(fact)}`)
  const reason = because('check_no_rule', { property: of, value: [...new Set(sizes)].join(', ') })
  return { requirement: requirement.name, rule: place, of, result: 'unknown', reason }
}

const linesOf = (alternatives: readonly PlacedRule[], stated: Stated): readonly CheckLine[] => {
  const [first] = alternatives
  if (first === undefined) return []
  if (!first.place.includes('/anyOf/')) return checkRule(first, stated)
  const checked = alternatives.map((rule) => checkRule(rule, stated)).filter((lines) => lines.length > 0)
  if (checked.length === 0) return []
  const heats = new Set(checked.flat().flatMap(({ heat }) => heat ?? []))
  const keys = heats.size === 0 ? [undefined] : [...heats]
  return keys.map((heat) => anyOfLine({ alternatives, checked, first }, heat))
}

/** One alternative is enough; of those that are not met, what is not known may be. */
const anyOfLine = (
  {
    alternatives,
    checked,
    first,
  }: {
    readonly alternatives: readonly PlacedRule[]
    readonly checked: readonly (readonly CheckLine[])[]
    readonly first: PlacedRule
  },
  heat: string | undefined,
): CheckLine => {
  const ofHeat = checked.map((lines) => lines.filter((line) => line.heat === heat || line.heat === undefined))
  const results = ofHeat.map((lines) => (lines.length === 0 ? 'missing' : worstOf(lines)))
  const result = checkResults.findLast((one) => results.includes(one)) ?? 'unknown'
  const best = ofHeat[results.indexOf(result)]?.[0]
  const values = { alternatives: nameOf(alternatives), about: aboutHeat(heat) }
  const unmet = result === 'fail' ? because('check_none_met', values) : because('check_none_known', values)
  return {
    requirement: first.requirement.name,
    rule: first.place.replace(/\/anyOf\/.*$/, ''),
    of: nameOf(alternatives),
    heat,
    result,
    printed: ofHeat
      .flat()
      .flatMap((line) => (line.printed === undefined ? [] : `${line.of} ${line.printed}`))
      .join(', '),
    limit: undefined,
    pointer: best?.pointer,
    rounding: best?.rounding,
    reason: result === 'pass' ? undefined : unmet,
  }
}
