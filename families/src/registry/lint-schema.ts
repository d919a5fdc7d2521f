import type { JsonObject } from '../certificate/read-certificate.ts'
import { textAt } from '../certificate/shown.ts'
import { compilePattern } from './linear-pattern.ts'
import { type SubSchema, subSchemas } from './sub-schemas.ts'

const maxSubSchemas = 20_000
const maxEnum = 5_000
const refused = ['$dynamicRef', '$recursiveRef', '$dynamicAnchor', '$anchor', '$async', '$data']
const drafts = /^https?:\/\/json-schema\.org\/(draft-07|draft\/2019-09|draft\/2020-12)\/schema#?$/

/**
 * What speaks against running a schema that somebody else wrote (ajv takes schemas for trusted code): sentences, none
 * when nothing does. What it cannot see, exponential work above all, is bounded while validating.
 */
export const lintSchema = (schema: JsonObject): readonly string[] => {
  const all = [...reachable(schema)]
  if (all.length > maxSubSchemas) return [`The schema holds more than ${maxSubSchemas} schemas`]
  const known = new Map(all.map((found) => [found.pointer, found]))
  return [
    ...(drafts.test(textAt(schema, '$schema') ?? '') ? [] : ['$schema must be draft-07, 2019-09 or 2020-12']),
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
): readonly string[] => {
  const where = `#${pointer}`
  const reference = schema['$ref']
  const patterns = [schema['pattern'], ...Object.keys(record(schema['patternProperties']))]
  const values = schema['enum']
  return [
    ...refused
      .filter((keyword) => Object.hasOwn(schema, keyword))
      .map((keyword) => `${where} uses ${keyword}`),
    ...Object.entries(schema)
      .filter(([keyword, value]) => keyword !== 'properties' && Object.hasOwn(record(value), '$data'))
      .map(([keyword]) => `${where} takes ${keyword} from the data ($data)`),
    ...(pointer !== '' && schema['$id'] !== undefined ? [`${where} has an $id of its own`] : []),
    ...(reference === undefined || known.has(targetOf(reference))
      ? []
      : [
          `${where} refers to ${JSON.stringify(reference).slice(0, 200)}, which is not a schema within this one`,
        ]),
    ...(Array.isArray(values) && values.length > maxEnum
      ? [`${where} lists more than ${maxEnum} values`]
      : []),
    ...patterns.flatMap((pattern) => (typeof pattern === 'string' ? lintPattern(pattern, where) : [])),
  ]
}

const record = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : {}

const lintPattern = (pattern: string, where: string): readonly string[] => {
  try {
    compilePattern(pattern)
    return []
  } catch (error) {
    return [
      `${where} has a pattern that is refused: ${error instanceof Error ? error.message : 'unreadable'}`,
    ]
  }
}

/** Only pointers within the document count: everything else would have to be fetched. */
const targetOf = (reference: unknown): string => {
  if (typeof reference !== 'string' || !reference.startsWith('#')) return 'elsewhere'
  try {
    return decodeURIComponent(reference.slice(1))
  } catch {
    return 'elsewhere'
  }
}

/** A schema that is applied to a value because it was applied to that same value never ends. */
const loops = (known: ReadonlyMap<string, SubSchema>): readonly string[] => {
  const state = new Map<string, 'open' | 'done'>()
  const found: string[] = []
  const visit = (pointer: string, depth: number): void => {
    if (state.get(pointer) === 'done') return
    if (state.get(pointer) === 'open' || depth > 500) {
      found.push(`#${pointer} refers to itself without going deeper into the certificate`)
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
