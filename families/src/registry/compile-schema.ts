import { Ajv, type ErrorObject, type Options, _ } from 'ajv'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { fastFormats, fullFormats } from 'ajv-formats/dist/formats.js'
import { canonicalJson, type JsonValue } from '@millseal/proof'
import type { JsonObject } from '../certificate/read-certificate.ts'
import { textAt } from '../certificate/shown.ts'
import { createChooser } from './best-alternatives.ts'
import { linearPatterns } from './linear-pattern.ts'
import { createMeter, type Meter, ValidationTooExpensive } from './meter.ts'
import { mapSubSchemas } from './sub-schemas.ts'

/**
 * The violations of a schema; none if the certificate conforms. Of alternatives that all fail, those of every one, or of
 * the one that fits best. Throws `ValidationTooExpensive`.
 */
export type SchemaCheck = (json: JsonValue, alternatives?: 'all' | 'best') => readonly ErrorObject[]

/** An EN 10168 certificate of 1 MiB takes 112,000 steps, one of 30 kB takes 500. */
const budget = 300_000
const budgetForAllErrors = 10_000

/**
 * Compiles a schema twice: the first check stops at the first error and is enough for certificates that conform; the
 * second, compiled when it is needed, reports every error of a small certificate.
 */
export const compileSchema = (schema: JsonObject): SchemaCheck => {
  const first = prepare(schema, { allErrors: false })
  let all: ReturnType<typeof prepare> | undefined
  return (json, alternatives = 'all') => {
    const errors = first(json, { steps: budget })
    if (errors.length === 0) return []
    try {
      all ??= prepare(schema, { allErrors: true, verbose: true })
      return all(json, { steps: budgetForAllErrors, alternatives })
    } catch (error) {
      if (error instanceof ValidationTooExpensive) return errors
      throw error
    }
  }
}

const prepare = (
  schema: JsonObject,
  options: Options,
): ((
  json: JsonValue,
  given: { readonly steps: number; readonly alternatives?: 'all' | 'best' },
) => readonly ErrorObject[]) => {
  const meter = createMeter()
  const counted = withSteps(schema)
  const ajv = createAjv({ schema, meter, options })
  const validate = ajv.compile(counted)
  let choose: ReturnType<typeof createChooser> | undefined
  return (json, { steps, alternatives }) => {
    meter.restart(steps)
    if (validate(json)) return []
    const errors = [...(validate.errors ?? [])]
    if (alternatives !== 'best') return errors
    choose ??= createChooser(ajv, counted)
    return choose(errors)
  }
}

const drafts: readonly (readonly [string, new (options: Options) => Ajv])[] = [
  ['2020-12', Ajv2020],
  ['2019-09', Ajv2019],
]

const createAjv = (input: { schema: JsonObject; meter: Meter; options: Options }): Ajv => {
  const { schema, meter, options } = input
  const draft = textAt(schema, '$schema') ?? ''
  const Draft = drafts.find(([name]) => draft.includes(name))?.[1] ?? Ajv
  const ajv = new Draft({
    ...options,
    strict: false,
    validateSchema: false,
    validateFormats: true,
    unicodeRegExp: true,
    addUsedSchema: false,
    logger: false,
    messages: true,
    code: { regExp: linearPatterns(meter) },
  })
  for (const name of ['date', 'date-time', 'time'] as const) ajv.addFormat(name, bounded(fullFormats[name]))
  for (const name of ['email', 'uri', 'uuid'] as const) ajv.addFormat(name, bounded(fastFormats[name]))
  countSteps(ajv, meter)
  replaceUniqueItems(ajv, meter)
  return ajv
}

const maxFormattedLength = 2_048

const bounded = (format: unknown): ((text: string) => boolean) => {
  const candidate = format as
    | RegExp
    | ((text: string) => boolean)
    | { validate: RegExp | ((text: string) => boolean) }
  const check = typeof candidate === 'object' && 'validate' in candidate ? candidate.validate : candidate
  return (text) =>
    text.length <= maxFormattedLength && (check instanceof RegExp ? check.test(text) : check(text))
}

const stepKeyword = 'x-millseal-step'

const countSteps = (ajv: Ajv, meter: Meter): void => {
  ajv.addKeyword({
    keyword: stepKeyword,
    schemaType: 'boolean',
    code: ({ gen, data }) => {
      gen.code(_`${gen.scopeValue('obj', { ref: meter })}.spend(${data})`)
    },
  })
}

/** ajv compares every pair. Equal items have equal canonical forms, so a set finds duplicates in one pass. */
const replaceUniqueItems = (ajv: Ajv, meter: Meter): void => {
  ajv.removeKeyword('uniqueItems')
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    errors: false,
    validate: (isUnique: boolean, items: readonly JsonValue[]): boolean => {
      if (!isUnique) return true
      const seen = new Set<string>()
      for (const item of items) {
        const form = canonicalJson(item)
        meter.charge(5 + (form.length >>> 4))
        seen.add(form)
      }
      return seen.size === items.length
    },
  })
}

/** Counts a step wherever a sub-schema is applied. */
const withSteps = (schema: JsonObject): JsonObject => ({
  ...mapSubSchemas(schema, withSteps),
  [stepKeyword]: true,
})
