import type { ErrorObject } from 'ajv'
import { atPlace, because, type Reason } from '@millseal/contract/reasons'

const maxReasons = 20

/** What a request does not conform to. `part` is the body, or the parameters that were checked. */
export const schemaReasons = (violations: readonly ErrorObject[], part: string): readonly Reason[] =>
  ofNearestBranch(violations)
    .filter(({ keyword }) => keyword !== 'if' && keyword !== 'anyOf')
    .slice(0, maxReasons)
    .map((violation) => atPlace(pointer(violation, part), reasonOf(violation)))

const branch = /^(.*?\/anyOf)\/(\d+)\//

/** Of several alternatives, reports only the one with the fewest violations. */
const ofNearestBranch = (violations: readonly ErrorObject[]): readonly ErrorObject[] => {
  const branchOf = ({ schemaPath }: ErrorObject) => branch.exec(schemaPath)?.slice(1) ?? []
  const counts = Map.groupBy(violations, (violation) => branchOf(violation).join('/'))
  const least = new Map<string, number>()
  for (const [key, { length }] of counts) {
    const choice = key.slice(0, key.lastIndexOf('/'))
    least.set(choice, Math.min(least.get(choice) ?? length, length))
  }
  return violations.filter((violation) => {
    const [choice, number] = branchOf(violation)
    return choice === undefined || counts.get(`${choice}/${number}`)?.length === least.get(choice)
  })
}

const partsInPointers: Readonly<Record<string, string>> = { body: '', querystring: 'query' }

const pointer = ({ instancePath, keyword, params }: ErrorObject, part: string): string => {
  const place = partsInPointers[part] ?? part
  const missing = keyword === 'required' ? `/${String(params['missingProperty'])}` : ''
  return `${place}${instancePath}${missing}` || 'body'
}

const reasonOf = ({ keyword, params, message }: ErrorObject): Reason => {
  const say = reasons[keyword]
  return say === undefined ? because('breaks_schema', { rule: message ?? 'is not valid' }) : say(params)
}

type Given = Readonly<Record<string, unknown>>
const limitOf = ({ limit }: Given): { readonly limit: number } => ({ limit: Number(limit) })
const outOfRange = ({ comparison, limit }: Given): Reason =>
  because('is_out_of_range', { comparison: String(comparison), limit: Number(limit) })

/** By keyword of JSON Schema, in the words of ajv. */
const reasons: Readonly<Record<string, (given: Given) => Reason>> = {
  required: () => because('is_required'),
  enum: ({ allowedValues }) =>
    because('must_be_one_of', { allowed: (allowedValues as readonly unknown[]).join(', ') }),
  type: ({ type }) => because('must_have_type', { type: String(type) }),
  const: () => because('must_be_constant'),
  format: ({ format }) => because('must_have_format', { format: String(format) }),
  pattern: ({ pattern }) => because('must_match_pattern', { pattern: String(pattern) }),
  minLength: (given) => because('has_too_few_characters', limitOf(given)),
  maxLength: (given) => because('has_too_many_characters', limitOf(given)),
  minItems: (given) => because('has_too_few_items', limitOf(given)),
  maxItems: (given) => because('has_too_many_items', limitOf(given)),
  minProperties: (given) => because('has_too_few_properties', limitOf(given)),
  maxProperties: (given) => because('has_too_many_properties', limitOf(given)),
  minimum: outOfRange,
  maximum: outOfRange,
  exclusiveMinimum: outOfRange,
  exclusiveMaximum: outOfRange,
  multipleOf: ({ multipleOf }) => because('must_be_multiple', { divisor: Number(multipleOf) }),
  uniqueItems: ({ i, j }) => because('has_item_twice', { first: Number(j), second: Number(i) }),
  additionalProperties: () => because('has_unknown_property'),
}
