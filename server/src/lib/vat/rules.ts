import { easternRules } from './eastern-rules.ts'
import { northernRules } from './northern-rules.ts'
import type { VatRule } from './rule.ts'
import { southernRules } from './southern-rules.ts'
import { westernRules } from './western-rules.ts'

/** By the letters that VAT ids begin with. */
export const vatRules: ReadonlyMap<string, VatRule> = new Map(
  [westernRules, northernRules, southernRules, easternRules].flatMap(Object.entries<VatRule>),
)
