import { because } from '@millseal/contract/reasons'
import {
  compare,
  decimalText,
  minus,
  type Rational,
  rational,
  readDecimal,
  roundTo,
  times,
  zero,
} from '../facts/decimal.ts'
import type { Fact } from '../facts/fact.ts'
import { yields } from '../facts/names.ts'
import { aboutHeat, grouped, listed, quoted, type SelfCheckFinding, withUnit } from './finding.ts'

const weight = 'does_not_add_up' as const

type Valued = { readonly fact: Fact; readonly value: Rational }

const valued = (facts: readonly Fact[]): readonly Valued[] =>
  facts.flatMap((fact) => {
    const decimal = readDecimal(fact.value)
    return decimal === undefined || (fact.operator ?? '=') !== '=' ? [] : [{ fact, value: rational(decimal) }]
  })

const unitOf = ({ unit }: Fact): string | undefined => (unit === 'N/mm²' || unit === 'N/mm2' ? 'MPa' : unit)

/** Every Rm of a test below every yield strength of it: which specimen has which is not known. */
export const strengthBelowYield = (facts: readonly Fact[]): readonly SelfCheckFinding[] =>
  grouped(
    facts.filter(({ of }) => of === 'Rm' || yields.includes(of)),
    (fact) => [fact.heat, fact.place, fact.condition, unitOf(fact)],
  ).flatMap((test) => {
    const all = valued(test)
    const isKnown = all.length === test.length
    const [strong] = all.filter(({ fact }) => fact.of === 'Rm').toSorted((a, b) => compare(b.value, a.value))
    const [yielding] = all
      .filter(({ fact }) => fact.of !== 'Rm')
      .toSorted((a, b) => compare(a.value, b.value))
    if (!isKnown || strong === undefined || yielding === undefined) return []
    if (compare(strong.value, yielding.value) >= 0) return []
    const { heat, unit, value, pointer } = strong.fact
    const printed = withUnit(value, unit)
    const against = withUnit(yielding.fact.value, yielding.fact.unit)
    const reason = because('own_strength', { value: printed, yield: against, about: aboutHeat(heat) })
    return [{ weight, heat, property: 'Rm', printed, against, pointer, reason }]
  })

/**
 * Heats with results that are not listed, and the reverse. Lists and results may name different things, such as pieces and
 * samples: they are compared only if they have a name in common.
 */
export const heatsThatDiffer = (facts: readonly Fact[]): readonly SelfCheckFinding[] => {
  const lists = facts.filter(({ of }) => of === 'heat' || of === 'identifier')
  const named = new Set(lists.map(({ value }) => value))
  const tested = new Map<string, string>()
  for (const { of, value, heat, pointer } of facts) {
    const name = of === 'tested heat' ? value : heat
    if (name !== undefined && !tested.has(name)) tested.set(name, pointer)
  }
  const common = [...named].flatMap((heat) => (tested.has(heat) ? [heat] : []))
  if (common.length === 0) return []
  const [listedText, testedText] = [listed([...named]), listed([...tested.keys()])]
  const unlisted = [...tested].filter(
    // `175508/2` is a sample of `175508`.
    ([heat]) => !named.has(heat) && !common.some((one) => heat.startsWith(one) || one.startsWith(heat)),
  )
  const untested = lists.filter(({ value }) => !tested.has(value))
  return [
    ...unlisted.map(([heat, pointer]) => ({
      weight,
      heat,
      property: 'heat',
      printed: quoted(heat),
      against: listedText,
      pointer,
      reason: because('own_heat_unlisted', { heat: quoted(heat), listed: listedText }),
    })),
    ...(isComplete(lists, { common: common.length, untested: untested.length }) ? untested : []).map(
      ({ value, pointer }) => ({
        weight,
        heat: value,
        property: 'heat',
        printed: quoted(value),
        against: testedText,
        pointer,
        reason: because('own_heat_untested', { heat: quoted(value), tested: testedText }),
      }),
    ),
  ]
}

/** Identifiers may be of pieces, of which a few are tested: only one that is missing among several is a slip. */
const isComplete = (lists: readonly Fact[], { common, untested }: { common: number; untested: number }) =>
  lists.every(({ of }) => of === 'heat') || (common >= 2 && untested === 1)

const isDate = /^\d{4}-\d\d-\d\d$/

/** Days only: a time of day would need the zone of both. */
export const issuedTooEarly = (facts: readonly Fact[]): readonly SelfCheckFinding[] => {
  const issued = facts.find(({ of, value }) => of === 'issue date' && isDate.test(value))?.value
  if (issued === undefined) return []
  return facts
    .filter(({ of, value }) => /^(?:test|production) date$/.test(of) && isDate.test(value) && value > issued)
    .map(({ of, value, heat, pointer }) => {
      const values = { issued, date: value, about: aboutHeat(heat) }
      const reason =
        of === 'test date' ? because('own_test_date', values) : because('own_production_date', values)
      return { weight, heat, property: of, printed: issued, against: value, pointer, reason }
    })
}

const ratio = (top: bigint, bottom = 1n): Rational => ({ top, bottom })
const masses = new Map([
  ['kg', ratio(1n)],
  ['t', ratio(1000n)],
  ['g', ratio(1n, 1000n)],
])
const lengths = new Map([
  ['m', ratio(1n)],
  ['mm', ratio(1n, 1000n)],
  ['cm', ratio(1n, 100n)],
])

/** Beyond this no tolerance of dimensions explains the difference. */
const tolerated = ratio(1n, 10n)

export const massesThatDiffer = (facts: readonly Fact[]): readonly SelfCheckFinding[] =>
  grouped(facts, ({ place }) => [place]).flatMap((object) => {
    const only = (of: string, units?: ReadonlyMap<string, Rational>): Valued | undefined => {
      const [found, ...others] = valued(object.filter((fact) => fact.of === of))
      const factor = units === undefined ? ratio(1n) : units.get(found?.fact.unit?.toLowerCase() ?? '')
      if (found === undefined || others.length > 0 || factor === undefined) return undefined
      return { fact: found.fact, value: times(found.value, factor) }
    }
    const [pieces, mass, unitMass] = [only('pieces'), only('mass', masses), only('unit mass', masses)]
    const [perLength, length] = [
      only('mass per length', new Map([['kg/m', ratio(1n)]])),
      only('length', lengths),
    ]
    const each =
      unitMass?.value ??
      (perLength === undefined || length === undefined ? undefined : times(perLength.value, length.value))
    if (pieces === undefined || mass === undefined || each === undefined) return []
    const total = times(pieces.value, each)
    const difference = minus(total, mass.value)
    const distance = compare(difference, zero) < 0 ? minus(zero, difference) : difference
    if (compare(distance, times(total, tolerated)) <= 0) return []
    const [printed, against] = [withUnit(mass.fact.value, mass.fact.unit), kilograms(total)]
    const values = { pieces: pieces.fact.value, each: kilograms(each), total: against, printed }
    const { pointer } = mass.fact
    const reason = because('own_mass', values)
    return [{ weight, heat: undefined, property: 'mass', printed, against, pointer, reason }]
  })

const kilograms = (value: Rational): string => `${decimalText(roundTo(value, 1, 'halfEven'))} kg`

/** EN 10204 asks for a declaration in every type of document. */
export const missingDeclaration = (facts: readonly Fact[]): readonly SelfCheckFinding[] => {
  const standard = facts.find(({ of, value }) => of === 'standard' && /10204|[23]\.[12]\b/.test(value))
  if (standard === undefined || facts.some(({ of }) => of === 'declaration')) return []
  const printed = quoted(standard.value)
  const reason = because('own_declaration', { standard: printed })
  const { pointer } = standard
  return [{ weight, heat: undefined, property: 'declaration', printed, against: '–', pointer, reason }]
}
