import type { Requirement, RequirementRule } from '@millseal/contract/requirements'
import type { CheckResult } from '@millseal/contract/vocabulary'
import type { Reason } from '@millseal/contract/reasons'
import type { Rational } from '../facts/decimal.ts'
import type { Fact } from '../facts/fact.ts'

/** A rule with its place: in a requirement, and among its alternatives. */
export type PlacedRule = {
  readonly rule: Omit<RequirementRule, 'anyOf' | 'of'> & { readonly of: string }
  /** JSON pointer in the requirement. */
  readonly place: string
  readonly requirement: Requirement
}

/** The name of the requirement, the JSON pointer of the rule in it, and what the rule is about. */
export type LineOfRule = { readonly requirement: string; readonly rule: string; readonly of: string }

export type Outcome = {
  readonly result: CheckResult
  /** What was compared with the limit: converted, calculated and rounded. */
  readonly compared?: string | undefined
  readonly limit?: string | undefined
  readonly reason?: Reason | undefined
}

/** What a check says of one limit and one value. Texts are those that people read: `0.20 %`. */
export type CheckLine = LineOfRule &
  Outcome & {
    readonly heat?: string | undefined
    readonly printed?: string | undefined
    readonly rounding?: Requirement['rounding'] | undefined
    /** JSON pointer of the value in the certificate. */
    readonly pointer?: string | undefined
  }

/** What is compared with limits. Without `high` nothing bounds it. */
export type Measured = {
  readonly low: Rational
  readonly high: Rational | undefined
  readonly isExact: boolean
}

/** A rule and the facts of its name, as the parts of the check pass them on. */
export type RuleWithFacts = PlacedRule & { readonly facts: readonly Fact[] }
