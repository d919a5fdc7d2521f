import { compare, type Rational, rational, readDecimal } from '../facts/decimal.ts'
import type { Fact } from '../facts/fact.ts'
import { withUnit } from '../self-check/finding.ts'
import type { PlacedRule } from './requirement.ts'
import { convert } from './units.ts'

export type Applies =
  | { readonly kind: 'always' | 'no' }
  /** To some parts only: which values belong to them is not known. */
  | { readonly kind: 'to some'; readonly dimension: string; readonly value: string }
  | { readonly kind: 'missing' | 'unknown'; readonly dimension: string }

/** Whether a rule applies to the dimensions that the certificate states. */
export const appliesTo = ({ rule: { when = {} } }: PlacedRule, all: readonly Fact[]): Applies => {
  const conditions = Object.entries(when).map(([dimension, range]) => {
    const facts = all.filter(({ of }) => of === dimension)
    if (facts.length === 0) return { kind: 'missing', dimension } as const
    const sizes = facts.map(millimetresOf)
    const known = sizes.filter((size) => size !== undefined)
    if (known.length < sizes.length) return { kind: 'unknown', dimension } as const
    const within = known.findIndex((size) => isWithin(size, range))
    if (within < 0) return { kind: 'no' } as const
    if (known.every((size) => isWithin(size, range))) return { kind: 'always' } as const
    return { kind: 'to some', dimension, value: textOf(facts[within]) } as const
  })
  const order = ['no', 'unknown', 'missing', 'to some'] as const
  const decisive = order
    .map((kind) => conditions.find((one) => one.kind === kind))
    .find((one) => one !== undefined)
  return decisive ?? { kind: 'always' }
}

export const textOf = (fact: Fact | undefined): string =>
  fact === undefined ? '–' : withUnit(`${fact.operator ?? ''}${fact.value}`, fact.unit)

const millimetresOf = ({ value, operator = '=', unit }: Fact): Rational | undefined => {
  const decimal = readDecimal(value)
  if (decimal === undefined || operator !== '=' || unit === undefined) return undefined
  return convert(rational(decimal), { from: unit, to: 'mm' })
}

const isWithin = (size: Rational, { above, upTo }: { above?: string; upTo?: string }): boolean => {
  const [low, high] = [above, upTo].map((text) => readDecimal(text ?? ''))
  return (
    (low === undefined || compare(size, rational(low)) > 0) &&
    (high === undefined || compare(size, rational(high)) <= 0)
  )
}
