import type { Requirement, RequirementRule } from '@millseal/contract/requirements'
import { atPlace, because, type Reason } from '@millseal/contract/reasons'
import { compare, rational, readDecimal } from '../facts/decimal.ts'
import { carbonEquivalents, dimensions, isUnitOf, quantities, unitsOf, vocabulary } from './units.ts'

/** What several things are called in certificates. */
const unclear: Readonly<Record<string, string>> = {
  Re: 'ReH, ReL, Rp0.2, yield strength, or rhenium',
  RE: 'ReH, ReL, Rp0.2, yield strength, or rhenium',
  CE: 'CEV, CET, Pcm, or Ce',
  CEQ: 'CEV, CET or Pcm',
}

/** What the schema of requirements cannot say about a rule. */
export const faultsOf = (rule: RequirementRule, place: string): readonly Reason[] => {
  const { anyOf, ...own } = rule
  const isAlone = Object.keys(own).length === 0
  if (anyOf !== undefined && isAlone)
    return anyOf.flatMap((one, index) => faultsOf(one, `${place}/anyOf/${index}`))
  if (anyOf !== undefined || own.of === undefined) return [atPlace(place, because('requirement_of_or_any'))]
  const { of } = own
  return [...nameFaults(of, place), ...unitFaults({ ...own, of }, place), ...rangeFaults(own, place)]
}

const nameFaults = (of: string, place: string): readonly Reason[] => {
  const choice = unclear[of]
  if (choice !== undefined)
    return [atPlace(`${place}/of`, because('requirement_unclear', { name: of, choice }))]
  const name = vocabulary.find((one) => one.toLowerCase() === of.toLowerCase().trim())
  return name === undefined || vocabulary.includes(of)
    ? []
    : [atPlace(`${place}/of`, because('requirement_spelling', { name }))]
}

type Own = Omit<Requirement['rules'][number], 'anyOf' | 'of'> & { readonly of: string }

const unitFaults = (rule: Own, place: string): readonly Reason[] => {
  const { of, unit, calculated } = rule
  if (of.startsWith('/')) {
    const others = [unit, calculated, rule.at, rule.mean, rule.each, rule.atMost]
    return others.every((one) => one === undefined) ? [] : [atPlace(place, because('requirement_pointer'))]
  }
  if (calculated === true && !carbonEquivalents.includes(of))
    return [atPlace(`${place}/calculated`, because('requirement_not_calculated'))]
  const quantity = quantities.get(of)
  if (quantity === undefined) return []
  const choice = unitsOf[quantity]
  const comparesNumbers = [rule.min, rule.max, rule.mean, rule.each, rule.atMost].some(
    (one) => one !== undefined,
  )
  if (unit === undefined)
    return comparesNumbers
      ? [atPlace(`${place}/unit`, because('requirement_needs_unit', { name: of, choice }))]
      : []
  return isUnitOf(quantity, unit)
    ? []
    : [atPlace(`${place}/unit`, because('requirement_unit', { name: of, choice }))]
}

const rangeFaults = (
  { min, max, mean, each, when = {} }: Omit<Own, 'of'>,
  place: string,
): readonly Reason[] => {
  const ranges = [
    { at: `${place}/max`, low: min, high: max, mayBeEqual: true },
    { at: `${place}/mean/max`, low: mean?.min, high: mean?.max, mayBeEqual: true },
    { at: `${place}/each/max`, low: each?.min, high: each?.max, mayBeEqual: true },
    ...Object.entries(when).map(([name, { above, upTo }]) => ({
      at: `${place}/when/${name}/upTo`,
      low: above,
      high: upTo,
      mayBeEqual: false,
    })),
  ]
  const unknown = Object.keys(when).filter((name) => !dimensions.includes(name))
  return [
    ...ranges.flatMap(({ at, low = '', high = '', mayBeEqual }) => {
      const [from, to] = [readDecimal(low), readDecimal(high)]
      if (from === undefined || to === undefined) return []
      const sign = compare(rational(from), rational(to))
      return sign < 0 || (sign === 0 && mayBeEqual)
        ? []
        : [atPlace(at, because('requirement_empty_range', { low, high }))]
    }),
    ...unknown.map((name) =>
      atPlace(`${place}/when/${name}`, because('requirement_dimension', { choice: dimensions.join(', ') })),
    ),
  ]
}
