import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import { input, output } from './common.ts'
import { plainText } from './orders.ts'

const pattern = (description: string, examples: readonly string[]) =>
  Type.Optional(Type.String({ ...plainText, description, examples: [...examples] }))

const rule = {
  supplier: pattern('The name of the supplier', ['Nordhütte Stahl*']),
  order: pattern('The number of the order', ['PO-47*']),
  item: pattern('Its item', ['10']),
  grade: pattern('A designation of the material, or a standard of the product', ['*S355J2+N*']),
  product: pattern('The description of the product', ['*plate*']),
  priority: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: limits.requirementRules.priority,
      default: 0,
      description: 'Of the rules that match, only those with the highest count',
    }),
  ),
  requirement: Type.String({
    ...plainText,
    description: 'The name or the hash of a requirement of the company',
  }),
}

export const RequirementRuleOfCompany = input('RequirementChoiceDto', rule)
export type RequirementChoice = Static<typeof RequirementRuleOfCompany>

export const KeepRequirementRules = input('KeepRequirementRulesDto', {
  rules: Type.Array(RequirementRuleOfCompany, { maxItems: limits.requirementRules.most }),
})
export type KeepRequirementRules = Static<typeof KeepRequirementRules>

export const RequirementRules = output('RequirementRulesDto', { rules: Type.Array(RequirementRuleOfCompany) })
export type RequirementRules = Static<typeof RequirementRules>
