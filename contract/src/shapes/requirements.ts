import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import { roundings } from '../vocabulary.ts'
import { input, listOf, oneOf } from './common.ts'

const text = Type.String({ ...limits.requirement.text, pattern: '[^ ]' })

const Decimal = Type.String({
  pattern: String.raw`^-?\d+(\.\d+)?$`,
  maxLength: limits.requirement.decimalLength,
  description: 'Text, so that 0.20 keeps its two places: results are rounded to them',
  examples: ['0.20'],
})
const bound = Type.Optional(Decimal)

const Bounds = input('RequirementBoundsDto', { min: bound, max: bound }, { minProperties: 1 })

const rounding = Type.Optional(
  oneOf(roundings, {
    description:
      'halfEven (the default): rule A of ISO 80000-1 and the rounding method of ASTM E29; halfUp: rule B; exact: the absolute method of ASTM E29',
  }),
)

const When = Type.Unsafe<Record<string, { above?: string; upTo?: string }>>({
  type: 'object',
  description: 'The rule applies only to such dimensions, in mm: above the one and up to the other',
  minProperties: 1,
  maxProperties: limits.requirement.dimensions,
  additionalProperties: input('RequirementRangeDto', { above: bound, upTo: bound }, { minProperties: 1 }),
  examples: [{ thickness: { above: '16', upTo: '40' } }],
})

const rule = {
  of: Type.Optional(
    Type.String({
      ...limits.requirement.text,
      description:
        'A chemical symbol with its case, ReH, ReL, Rp0.2, Rp1.0, Rt0.5, yield strength, Rm, A, A80, elongation, Z, KV, HBW, HV, CEV, CET, Pcm, a dimension, another name that the certificates print, or a JSON pointer into them with * for any element',
      examples: ['ReH'],
    }),
  ),
  min: bound,
  max: bound,
  oneOf: Type.Optional(listOf(text, limits.requirement.alternatives)),
  unit: Type.Optional(Type.String({ ...limits.requirement.unit, examples: ['MPa'] })),
  calculated: Type.Optional(
    Type.Boolean({
      description: 'CEV, CET and Pcm: from the elements of the certificate, whatever it prints',
    }),
  ),
  at: Type.Optional(
    Type.String({
      ...limits.requirement.text,
      description: 'The condition of the test',
      examples: ['-20 °C'],
    }),
  ),
  mean: Type.Optional(Bounds),
  each: Type.Optional(Bounds),
  atMost: Type.Optional(
    input(
      'RequirementAtMostDto',
      { count: Type.Integer({ minimum: 0, maximum: limits.requirement.rules }), below: Decimal },
      { description: 'How many of the single values may be below a limit' },
    ),
  ),
  when: Type.Optional(When),
  ifMissing: Type.Optional(
    oneOf(['missing', 'pass'] as const, {
      description:
        'pass: nothing is missing if the certificate has no such value; with `calculated`, elements that are not printed count as 0',
    }),
  ),
  rounding,
}

/** One rule with `of`, or alternatives with `anyOf`: as one object, so that an error names the field that is wrong. */
const Rule = input('RequirementRuleDto', {
  ...rule,
  anyOf: Type.Optional(
    Type.Array(input('RequirementAlternativeDto', rule), {
      minItems: 2,
      maxItems: limits.requirement.alternatives,
      description: 'Each heat must meet one of these; alone, without other members',
    }),
  ),
})

/** The format `requirement-1`. Its reader in `families/` refuses unknown members; a validator of requests would drop them. */
export const Requirement = input('RequirementDto', {
  $schema: Type.Optional(Type.String({ ...limits.url })),
  name: text,
  basis: Type.Optional(
    Type.Array(text, {
      maxItems: limits.requirement.parts,
      description: 'Standards, orders and annexes: shown, never read',
    }),
  ),
  includes: Type.Optional(
    Type.Array(text, {
      maxItems: limits.requirement.parts,
      uniqueItems: true,
      description: 'Names or hashes of other requirements of the company; their rules apply too',
    }),
  ),
  rounding,
  document: Type.Optional(
    Type.Array(oneOf(['2.1', '2.2', '3.1', '3.2'] as const), {
      minItems: 1,
      maxItems: 4,
      description: 'The accepted types of EN 10204',
    }),
  ),
  order: Type.Optional(text),
  heats: Type.Optional(
    Type.Array(text, { minItems: 1, maxItems: limits.requirement.rules, description: 'The accepted heats' }),
  ),
  rules: Type.Array(Rule, { minItems: 1, maxItems: limits.requirement.rules }),
})
export type Requirement = Static<typeof Requirement>
export type RequirementRule = Static<typeof Rule>
