import fc from 'fast-check'
import type { Api, Schema } from './read-api.ts'

/** Values that schemas cannot describe: existing records, and whole documents to modify. */
export type Knowledge = {
  readonly ids: readonly string[]
  /** By the name of a component. */
  readonly documents: Readonly<Record<string, () => unknown>>
}

const nastyStrings = [
  '',
  ' ',
  '\u0000',
  '\ufeff',
  'a\r\nx-injected: 1',
  "'; drop table users; --",
  '=cmd|calc',
  '<script>alert(1)</script>',
  '../../etc/passwd',
  '${7*7}{{7*7}}',
  '\u202eevil',
  '😀'.repeat(20),
  '__proto__',
]
const maxText = 40
const maxList = 3

/** Values that usually conform to a schema. Combinations of pattern and length are left to chance. */
export const valuesOf = (schema: Schema, api: Api, knowledge: Knowledge): fc.Arbitrary<unknown> => {
  const of = (inner: unknown) => valuesOf((inner ?? {}) as Schema, api, knowledge)
  const reference = schema['$ref']
  if (typeof reference === 'string') {
    const document = knowledge.documents[reference.split('/').at(-1) ?? '']
    const generated = of(api.resolve(schema))
    if (document === undefined) return generated
    return fc.oneof({ weight: 4, arbitrary: fc.constant(null).map(document) }, generated)
  }
  if (Array.isArray(schema['enum'])) return fc.constantFrom(...(schema['enum'] as unknown[]))
  if ('const' in schema) return fc.constant(schema['const'])
  if (Array.isArray(schema['anyOf'])) return fc.oneof(...schema['anyOf'].map(of))
  const type = schema['type']
  if (type === 'object') return objects(schema, of)
  if (type === 'array') {
    const minLength = Number(schema['minItems'] ?? 0)
    const maxLength = Math.max(minLength, Math.min(Number(schema['maxItems'] ?? maxList), maxList))
    return fc.array(of(schema['items']), { minLength, maxLength })
  }
  if (type === 'string') return strings(schema, knowledge)
  if (type === 'boolean') return fc.boolean()
  if (type === 'null') return fc.constant(null)
  if (type !== 'integer' && type !== 'number') return fc.jsonValue({ maxDepth: 1 })
  const min = Number(schema['minimum'] ?? -1_000)
  const max = Number(schema['maximum'] ?? Math.max(min, 0) + 1_000_000)
  return type === 'integer' ? fc.integer({ min, max }) : fc.double({ min, max, noNaN: true })
}

const objects = (schema: Schema, of: (inner: unknown) => fc.Arbitrary<unknown>): fc.Arbitrary<unknown> => {
  const properties = (schema['properties'] ?? {}) as Record<string, Schema>
  const declared = fc.record(
    Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, of(property)])),
    { requiredKeys: [...((schema['required'] ?? []) as string[])], noNullPrototype: true },
  )
  const additional = schema['additionalProperties']
  if (additional === undefined || additional === false) return declared
  const value = additional === true ? fc.jsonValue({ maxDepth: 1 }) : of(additional)
  const name = fc.stringMatching(/^[a-z_]{1,12}$/)
  return fc
    .tuple(declared, fc.dictionary(name, value, { maxKeys: 2, noNullPrototype: true }))
    .map(([known, others]) => ({ ...others, ...(known as object) }))
}

const strings = (schema: Schema, { ids }: Knowledge): fc.Arbitrary<string> => {
  const { format, pattern } = schema
  if (format === 'uuid') {
    const known = ids.length === 0 ? fc.uuid() : fc.constantFrom(...ids)
    return fc.oneof({ weight: 4, arbitrary: known }, fc.uuid())
  }
  if (format === 'email') return fc.nat(9_999).map((number) => `person-${number}@example.com`)
  if (format === 'uri') return fc.constantFrom('https://receiver.invalid/hook', 'http://127.0.0.1:1/')
  if (format === 'date-time') return fc.date({ noInvalidDate: true }).map((date) => date.toISOString())
  if (typeof pattern === 'string') return fc.stringMatching(new RegExp(pattern))
  const minLength = Number(schema['minLength'] ?? 0)
  const maxLength = Math.max(minLength, Math.min(Number(schema['maxLength'] ?? maxText), maxText))
  const plain = fc.string({ minLength, maxLength })
  const nasty = fc
    .constantFrom(...nastyStrings)
    .map((text) => text.padEnd(minLength, 'x').slice(0, maxLength))
  return fc.oneof({ weight: 3, arbitrary: plain }, { weight: 1, arbitrary: nasty })
}

const gone = Symbol('gone')
const long = 'x'.repeat(5_000)
const poisons = [
  gone,
  null,
  0,
  -1,
  0.5,
  1e21,
  Number.MAX_SAFE_INTEGER,
  '',
  [],
  {},
  true,
  '\u0000',
  { $ne: 1 },
  Array.from({ length: 1_100 }, () => 'x'),
]

/** A value with one part removed or changed to another type. */
export const bent = (values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc
    .tuple(
      values,
      fc.nat(),
      fc.oneof(fc.constant(long), { weight: 3, arbitrary: fc.constantFrom(...poisons) }),
    )
    .map(([value, number, poison]) => {
      const places = placesIn(value)
      return replaceAt(value, places[number % places.length] ?? [], poison)
    })

type Place = readonly string[]

const placesIn = (value: unknown, at: Place = []): Place[] => {
  if (typeof value !== 'object' || value === null) return [at]
  return [at, ...Object.entries(value).flatMap(([key, inner]) => placesIn(inner, [...at, key]))]
}

const replaceAt = (value: unknown, [key, ...rest]: Place, poison: unknown): unknown => {
  if (key === undefined) return poison === gone ? {} : poison
  if (Array.isArray(value))
    return value.map((inner, index) => (String(index) === key ? replaceAt(inner, rest, poison) : inner))
  const copy = { ...(value as Record<string, unknown>) }
  if (rest.length === 0 && poison === gone) delete copy[key]
  else copy[key] = replaceAt(copy[key], rest, poison)
  return copy
}
