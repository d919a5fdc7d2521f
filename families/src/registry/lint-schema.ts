import { because, type Reason } from '@millseal/contract/reasons'
import type { JsonObject } from '../certificate/read-certificate.ts'
import { textAt } from '../certificate/shown.ts'
import { compilePattern } from './linear-pattern.ts'
import { type SubSchema, subSchemas } from './sub-schemas.ts'

const maxSubSchemas = 20_000
const maxEnum = 5_000
const unsupported = ['$dynamicRef', '$recursiveRef', '$dynamicAnchor', '$anchor', '$async', '$data']
const drafts = /^https?:\/\/json-schema\.org\/(draft-07|draft\/2019-09|draft\/2020-12)\/schema#?$/

/**
 * The reasons not to run an imported schema (ajv treats schemas as trusted code); none if it is safe. What cannot be
 * found here, such as exponential work, is limited during validation.
 */
export const lintSchema = (schema: JsonObject): readonly Reason[] => {
  const all = [...reachable(schema)]
  if (all.length > maxSubSchemas) return [because('schema_has_too_many_schemas', { most: maxSubSchemas })]
  const known = new Map(all.map((found) => [found.pointer, found]))
  return [
    ...(drafts.test(textAt(schema, '$schema') ?? '') ? [] : [because('schema_draft_unknown')]),
    ...all.flatMap((found) => lintOne(found, known)),
    ...loops(known),
  ]
}

function* reachable(root: JsonObject): Generator<SubSchema> {
  const waiting: SubSchema[] = [{ pointer: '', schema: root, inPlace: false }]
  for (let found = waiting.pop(), count = 0; found !== undefined && count <= maxSubSchemas; count += 1) {
    yield found
    waiting.push(...subSchemas(found.schema, found.pointer))
    found = waiting.pop()
  }
}

const lintOne = (
  { pointer, schema }: SubSchema,
  known: ReadonlyMap<string, SubSchema>,
): readonly Reason[] => {
  const place = `#${pointer}`
  const reference = schema['$ref']
  const patterns = [schema['pattern'], ...Object.keys(record(schema['patternProperties']))]
  const values = schema['enum']
  return [
    ...unsupported
      .filter((keyword) => Object.hasOwn(schema, keyword))
      .map((keyword) => because('schema_uses_keyword', { keyword, place })),
    ...Object.entries(schema)
      .filter(([keyword, value]) => keyword !== 'properties' && Object.hasOwn(record(value), '$data'))
      .map(([keyword]) => because('schema_reads_data', { keyword, place })),
    ...(pointer !== '' && schema['$id'] !== undefined ? [because('schema_has_inner_id', { place })] : []),
    ...(reference === undefined || known.has(targetOf(reference))
      ? []
      : [
          because('schema_refers_outside_itself', {
            reference: JSON.stringify(reference).slice(0, 200),
            place,
          }),
        ]),
    ...(Array.isArray(values) && values.length > maxEnum
      ? [because('schema_lists_too_many', { most: maxEnum, place })]
      : []),
    ...patterns.flatMap((pattern) => (typeof pattern === 'string' ? lintPattern(pattern, place) : [])),
  ]
}

const record = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : {}

const lintPattern = (pattern: string, place: string): readonly Reason[] => {
  try {
    compilePattern(pattern)
    return []
  } catch (error) {
    const why = error instanceof Error ? error.message : 'unreadable'
    return [because('schema_pattern_unusable', { why, place })]
  }
}

/** Only pointers within the document are allowed; anything else would have to be fetched. */
const targetOf = (reference: unknown): string => {
  if (typeof reference !== 'string' || !reference.startsWith('#')) return 'elsewhere'
  try {
    return decodeURIComponent(reference.slice(1))
  } catch {
    return 'elsewhere'
  }
}

/** Finds schemas that apply themselves to the same value again, which never ends. */
const loops = (known: ReadonlyMap<string, SubSchema>): readonly Reason[] => {
  const state = new Map<string, 'open' | 'done'>()
  const found: Reason[] = []
  const visit = (pointer: string, depth: number): void => {
    if (state.get(pointer) === 'done') return
    if (state.get(pointer) === 'open' || depth > 500) {
      found.push(because('schema_refers_to_itself', { place: `#${pointer}` }))
      return
    }
    state.set(pointer, 'open')
    for (const next of appliedInPlace(pointer, known)) visit(next, depth + 1)
    state.set(pointer, 'done')
  }
  for (const pointer of known.keys()) visit(pointer, 0)
  return found
}

const appliedInPlace = (pointer: string, known: ReadonlyMap<string, SubSchema>): readonly string[] => {
  const schema = known.get(pointer)?.schema ?? {}
  const reference = schema['$ref']
  const within = subSchemas(schema, pointer).filter(({ inPlace }) => inPlace)
  return [...(reference === undefined ? [] : [targetOf(reference)]), ...within.map((inner) => inner.pointer)]
}
