import type { ErrorObject } from 'ajv'
import { because, type Reason } from '@millseal/contract/reasons'

const maxLength = 200

/** The reason of an ajv error; it follows the pointer in a sentence. */
export const reasonOf = ({ keyword, params, message }: ErrorObject): Reason => {
  const given: Readonly<Record<string, unknown>> = params
  const say = reasons[keyword]
  if (say !== undefined) return say(given)
  const rule = message?.replace('must NOT', 'must not').slice(0, maxLength)
  if (rule === undefined) return because('schema_other', { rule: 'does not conform to the schema' })
  return because(summaries.has(keyword) ? 'schema_alternatives' : 'schema_other', { rule })
}

const summaries: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'allOf', 'if'])

type Given = Readonly<Record<string, unknown>>
const limitOf = ({ limit }: Given): { readonly limit: number } => ({ limit: Number(limit) })
const comparisonOf = ({ comparison, limit }: Given) =>
  because('schema_range', { comparison: String(comparison), limit: Number(limit) })

const reasons: Readonly<Record<string, (given: Given) => Reason>> = {
  required: ({ missingProperty }) => because('schema_required', { name: plain(missingProperty) }),
  additionalProperties: ({ additionalProperty }) => notAllowed(additionalProperty),
  unevaluatedProperties: ({ unevaluatedProperty }) => notAllowed(unevaluatedProperty),
  propertyNames: ({ propertyName }) => notAllowed(propertyName),
  type: ({ type }) => because('schema_type', { type: typeIn(type) }),
  enum: ({ allowedValues }) => because('schema_enum', { allowed: list(allowedValues) }),
  const: ({ allowedValue }) => because('schema_const', { value: quoted(allowedValue) }),
  format: ({ format }) => because('schema_format', { format: String(format) }),
  pattern: () => because('schema_pattern'),
  uniqueItems: () => because('schema_unique'),
  'false schema': () => because('schema_nothing'),
  not: () => because('schema_not'),
  minLength: (given) => because('schema_min_length', limitOf(given)),
  maxLength: (given) => because('schema_max_length', limitOf(given)),
  minItems: (given) => because('schema_min_items', limitOf(given)),
  maxItems: (given) => because('schema_max_items', limitOf(given)),
  minProperties: (given) => because('schema_min_properties', limitOf(given)),
  maxProperties: (given) => because('schema_max_properties', limitOf(given)),
  minimum: comparisonOf,
  maximum: comparisonOf,
  exclusiveMinimum: comparisonOf,
  exclusiveMaximum: comparisonOf,
  contains: ({ minContains: least, maxContains: most }) =>
    most === undefined
      ? because('schema_contains', { least: Number(least) })
      : because('schema_contains_between', { least: Number(least), most: Number(most) }),
  multipleOf: ({ multipleOf }) => because('schema_multiple', { divisor: Number(multipleOf) }),
}

const notAllowed = (name: unknown): Reason => because('schema_not_allowed', { name: plain(name) })

const quoted = (value: unknown): string => JSON.stringify(value ?? '').slice(0, maxLength)

/** A name as JSON writes it, without its quotation marks. */
const plain = (name: unknown): string =>
  JSON.stringify(typeof name === 'string' ? name : '')
    .slice(1, -1)
    .slice(0, maxLength)

const typeIn = (type: unknown): Reason => {
  const names = Array.isArray(type) ? type.map(String) : String(type).split(',')
  return names.map(oneType).reduce((one, other) => because('either_type', { one, other }))
}

const types = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'] as const
const oneType = (name: string): Reason => because(`type_${types.find((type) => type === name) ?? 'object'}`)

const list = (values: unknown): string => {
  const all = Array.isArray(values) ? values : []
  const text = all.slice(0, 12).map(quoted).join(', ')
  return all.length > 12 ? `${text} …` : text
}
