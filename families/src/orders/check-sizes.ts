import { because } from '@millseal/contract/reasons'
import { compare, type Rational, rational, readDecimal } from '../facts/decimal.ts'
import type { Fact } from '../facts/fact.ts'
import { textOf } from '../requirements/applies.ts'
import type { CheckLine, LineOfRule } from '../requirements/requirement.ts'
import { convert, isUnitOf } from '../requirements/units.ts'

const millimetre = 'mm'
const mostSizes = 5

/** In mm; undefined if the text is no list of sizes. */
export const readSizes = (text: string): readonly Rational[] | undefined => {
  const [, list = '', unit = millimetre] = /^(.*?\d)\s*([a-z"]+)?$/i.exec(text.trim()) ?? []
  const sizes = list.split(/\s*[x×*]\s*/i).map((size) => {
    const decimal = readDecimal(size)
    return decimal === undefined ? undefined : convert(rational(decimal), { from: unit, to: millimetre })
  })
  const known = sizes.filter((size) => size !== undefined)
  return known.length === sizes.length && known.length <= mostSizes && isUnitOf('length', unit)
    ? known
    : undefined
}

const dimensions: readonly string[] = ['thickness', 'width', 'length', 'diameter', 'height', 'side']

const sizeOf = ({ value, operator = '=', unit }: Fact): Rational | undefined => {
  const decimal = readDecimal(value)
  if (decimal === undefined || operator !== '=' || unit === undefined) return undefined
  return convert(rational(decimal), { from: unit, to: millimetre })
}

/** Each size of the order must be a dimension of the certificate, which may print further ones. */
export const checkSizes = (base: LineOfRule, ordered: string, all: readonly Fact[]): CheckLine => {
  const property = because('property_dimensions')
  const facts = all.filter(({ of }) => dimensions.includes(of))
  const printed = facts.map((fact) => `${fact.of} ${textOf(fact)}`).join(', ')
  const line = { ...base, limit: ordered, pointer: facts[0]?.pointer }
  const missing = because('check_missing', { property, about: '' })
  if (facts.length === 0) return { ...line, result: 'missing', reason: missing }
  const shown = { ...line, printed, compared: printed }
  const unclear = because('order_sizes_unclear', { value: printed, limit: ordered })
  const sizes = Map.groupBy(facts, ({ of }) => of)
  const wanted = readSizes(ordered)
  const open = new Map<string, readonly Rational[]>()
  for (const [of, group] of sizes) {
    const known = group.map(sizeOf).filter((size) => size !== undefined)
    if (known.length < group.length || wanted === undefined)
      return { ...shown, result: 'unknown', reason: unclear }
    open.set(of, known)
  }
  const unmet = unmetOf(wanted ?? [], open)
  if (unmet.length === 0) return { ...shown, result: 'pass' }
  const [left] = [...open.values()]
  if (left === undefined) return { ...shown, result: 'missing', reason: missing }
  const isMixed = [...open.values()].some((found) =>
    unmet.some((size) => found.some((one) => compare(one, size) === 0)),
  )
  if (isMixed) return { ...shown, result: 'unknown', reason: unclear }
  const values = { property, value: printed, allowed: ordered, about: '' }
  return { ...shown, result: 'fail', reason: because('check_not_one_of', values) }
}

/** Takes the dimensions that are met, and returns the sizes that none is. */
const unmetOf = (wanted: readonly Rational[], open: Map<string, readonly Rational[]>): readonly Rational[] =>
  wanted.filter((size) => {
    const met = [...open].find(([, found]) => found.every((one) => compare(one, size) === 0))
    if (met !== undefined) open.delete(met[0])
    return met === undefined
  })
