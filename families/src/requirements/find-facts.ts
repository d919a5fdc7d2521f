import { because, type Reason } from '@millseal/contract/reasons'
import { compare, rational, readDecimal } from '../facts/decimal.ts'
import type { Fact } from '../facts/fact.ts'
import { elements, yields } from '../facts/names.ts'
import { quoted } from '../self-check/finding.ts'
import type { Outcome, PlacedRule } from './requirement.ts'
import { carbonEquivalents } from './units.ts'

/** Names that say less than others: a certificate that prints one of them does not say which it means. */
const general: Readonly<Record<string, readonly string[]>> = {
  'yield strength': yields,
  elongation: ['elongation', 'A', 'A80'],
  hardness: ['hardness', 'HBW', 'HV'],
}

const meantBy = (of: string): readonly string[] => (of === 'rhenium' ? ['Re'] : (general[of] ?? [of]))

export type Found =
  | { readonly facts: readonly Fact[] }
  | { readonly facts?: never; readonly instead: Outcome }

/** The facts that a rule is about, or what the check says without any. */
export const findFacts = (
  { rule: { of, at, ifMissing } }: PlacedRule,
  all: readonly Fact[],
  property: Reason | string,
): Found => {
  const names = meantBy(of)
  const named = all.filter((fact) => names.includes(fact.of))
  const about = { property, about: '' }
  if (named.length === 0) {
    const broader = Object.keys(general).find((name) => general[name]?.includes(of) && name !== of)
    const [unclear] = broader === undefined ? [] : all.filter((fact) => fact.of === broader)
    if (unclear !== undefined) {
      const printed = quoted(`${unclear.of} ${unclear.value}`)
      return { instead: { result: 'unknown', reason: because('check_name', { ...about, printed }) } }
    }
    if (ifMissing === 'pass') return { instead: { result: 'pass' } }
    return { instead: { result: 'missing', reason: because('check_missing', about) } }
  }
  if (at === undefined) return { facts: named }
  const facts = named.filter(({ condition }) => condition !== undefined && isAt(condition, at))
  if (facts.length > 0) return { facts }
  const conditions = [...new Set(named.flatMap(({ condition }) => condition ?? []))]
  const values = { ...about, required: at }
  const reason =
    conditions.length === 0
      ? because('check_no_condition', values)
      : because('check_condition', { ...values, printed: quoted(conditions.join(', ')) })
  return { instead: { result: 'missing', reason } }
}

/** By its temperature, if both name exactly one; else by the same words. */
const isAt = (printed: string, required: string): boolean => {
  const [one, other] = [temperaturesIn(printed), temperaturesIn(required)]
  const [found, wanted] = [one[0], other[0]]
  if (found !== undefined && wanted !== undefined)
    return one.length === 1 && other.length === 1 && compare(found, wanted) === 0
  return plain(printed) === plain(required)
}

const plain = (text: string): string =>
  text.replaceAll(/[−–]/g, '-').replaceAll(/\s+/g, ' ').trim().toLowerCase()

const temperaturesIn = (text: string) =>
  [...plain(text).matchAll(/([+-]? ?\d+(?:[.,]\d+)?) ?(?:° ?c\b|celsius|degc\b)/g)].flatMap(
    ([, number = '']) => {
      const decimal = readDecimal(number.replace(' ', ''))
      return decimal === undefined ? [] : [rational(decimal)]
    },
  )

const isChemical = (of: string): boolean =>
  elements.has(of) || of === 'rhenium' || carbonEquivalents.includes(of)
const tensile: ReadonlySet<string> = new Set([...yields, 'Rm', 'A', 'A80', 'elongation', 'Z'])

/** Names that are tested together: a heat that has one of them is to have each that is required. */
const isTestedWith = (of: string, other: string): boolean => {
  if (isChemical(of)) return isChemical(other)
  return tensile.has(of) ? tensile.has(other) : meantBy(of).includes(other)
}

/** The heats without a value, though the certificate lists or tests them; none if a value belongs to no heat. */
export const heatsWithout = (
  of: string,
  { facts, all }: { readonly facts: readonly Fact[]; readonly all: readonly Fact[] },
): readonly string[] => {
  if (facts.some(({ heat }) => heat === undefined)) return []
  const covered = facts.flatMap(({ heat }) => heat ?? [])
  const expected = all.flatMap((fact) => {
    if (fact.of === 'heat') return fact.value
    return fact.heat !== undefined && isTestedWith(of, fact.of) ? fact.heat : []
  })
  return [...new Set(expected)].filter(
    (heat) => !covered.some((one) => one === heat || isSampleOf(one, heat) || isSampleOf(heat, one)),
  )
}

/** `175508/2` is a sample of `175508`; `1755081` is another heat. */
const isSampleOf = (sample: string, heat: string): boolean =>
  sample.startsWith(heat) && /^[^\p{L}\p{N}]/u.test(sample.slice(heat.length))
