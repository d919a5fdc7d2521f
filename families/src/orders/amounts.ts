import type { Certificate } from '../certificate/read-certificate.ts'
import { factsOf } from '../facts/facts-of.ts'
import { plus, type Rational, rational, readDecimal, zero } from '../facts/decimal.ts'
import type { Fact } from '../facts/fact.ts'
import { convert, isUnitOf } from '../requirements/units.ts'

/** How much a certificate says was delivered: pieces, mass, or another unit. */
export type Amount = {
  readonly of: string
  readonly value: string
  readonly operator?: string | undefined
  readonly unit?: string | undefined
}

const names: readonly string[] = ['pieces', 'mass', 'theoretical mass', 'delivered']

export const amountFacts = (facts: readonly Fact[]): readonly Fact[] =>
  facts.filter(({ of }) => names.includes(of))

export const amountsOf = (certificate: Certificate): readonly Amount[] =>
  amountFacts(factsOf(certificate)).map(({ of, value, operator, unit }) => ({ of, value, operator, unit }))

const isPieces = (unit: string): boolean => /^(?:pcs|pc|pieces?|stk|stück|st|ea)\.?$/i.test(unit.trim())

/** Of an order line. */
export const isQuantityUnit = (unit: string): boolean =>
  isPieces(unit) || isUnitOf('mass', unit) || isUnitOf('length', unit)

/** The amounts that can be compared in a unit: the first name that has any. */
export const amountsIn = <One extends Amount>(amounts: readonly One[], unit: string): readonly One[] =>
  names
    .map((name) => amounts.filter((one) => one.of === name && fits(one, unit)))
    .find((found) => found.length > 0) ?? []

const fits = ({ of, unit: printed = '' }: Amount, unit: string): boolean => {
  if (of === 'pieces') return isPieces(unit)
  if (of === 'delivered' && isPieces(printed)) return isPieces(unit)
  if (isPieces(unit)) return false
  return of === 'delivered' || isUnitOf('mass', unit)
}

/** Their sum in the unit; undefined if one of them does not say so, `none` if there are none. */
export const totalIn = (amounts: readonly Amount[], unit: string): Rational | undefined | 'none' => {
  const found = amountsIn(amounts, unit)
  if (found.length === 0) return 'none'
  let sum: Rational = zero
  for (const { value, operator = '=', unit: printed = '' } of found) {
    const decimal = readDecimal(value)
    if (decimal === undefined || operator !== '=') return undefined
    const one = isPieces(unit) ? rational(decimal) : convert(rational(decimal), { from: printed, to: unit })
    if (one === undefined) return undefined
    sum = plus(sum, one)
  }
  return sum
}

/** Of the certificates that were accepted before; undefined if one of them does not say. */
export const acceptedIn = (accepted: readonly (readonly Amount[])[], unit: string): Rational | undefined => {
  let sum: Rational = zero
  for (const amounts of accepted) {
    const total = totalIn(amounts, unit)
    if (total === undefined || total === 'none') return undefined
    sum = plus(sum, total)
  }
  return sum
}
