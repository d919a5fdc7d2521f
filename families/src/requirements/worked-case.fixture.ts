import type { Requirement } from '@millseal/contract/requirements'
import type { CheckResult } from '@millseal/contract/vocabulary'
import type { Fact } from '../facts/fact.ts'

/** Worked by hand from what the source says: what the certificate states, what is required, and what must come out. */
export type WorkedCase = {
  readonly says: string
  readonly source: string
  readonly facts: readonly Fact[]
  readonly rules: Requirement['rules']
  readonly also?: Partial<Requirement>
  readonly verdict: CheckResult
  /** Result, property, heat in parentheses, what was compared, limit. */
  readonly lines: readonly string[]
}

let count = 0

/** `fact('P', '<0.005 %')`. */
export const fact = (of: string, printed: string, more: Partial<Fact> = {}): Fact => {
  const [, operator, value = '', unit] = /^(<=|>=|[<>])?(\S+)(?: (.+))?$/.exec(printed) ?? []
  count += 1
  return { of, value, operator, unit, pointer: `/${count}`, ...more }
}

/** The values with their mean, as a certificate that prints both has them. */
export const series = (
  of: string,
  values: readonly string[],
  mean: string,
  more: Partial<Fact> = {},
): Fact => ({
  ...fact(of, `${mean} J`, more),
  series: values,
})

/** Values without a mean. */
export const singles = (of: string, values: readonly string[], more: Partial<Fact> = {}): readonly Fact[] =>
  values.map((value) => fact(of, `${value} J`, { limits: {}, ...more }))
