import type { JsonValue } from '@millseal/proof'
import { isObject, type JsonObject } from '../../certificate/read-certificate.ts'
import { at, listAt, textAt } from '../../certificate/shown.ts'

const maxHops = 40

/** All schemas that describe a property, found through `$ref`, `allOf`, `oneOf`, `anyOf`, `then` and arrays. */
export const schemasOf = (
  root: JsonObject,
  parents: readonly JsonObject[],
  name: string | undefined,
): readonly JsonObject[] =>
  parents
    .flatMap((parent) => alternatives(root, parent))
    .flatMap((schema) =>
      name === undefined ? [at(schema, 'items')] : [at(schema, 'properties', name), byPattern(schema, name)],
    )
    .filter(isObject)
    .slice(0, maxHops)

/** The first title and the first description among the schemas. */
export const describedBy = (
  root: JsonObject,
  schemas: readonly JsonObject[],
): { title: string | undefined; description: string | undefined } => {
  const all = schemas.flatMap((schema) => [schema, ...alternatives(root, schema)])
  const first = (key: 'title' | 'description'): string | undefined =>
    all.map((schema) => textAt(schema[key])).find((text) => text !== undefined)
  return { title: first('title'), description: first('description') }
}

const byPattern = (schema: JsonObject, name: string): JsonValue | undefined => {
  const patterns = at(schema, 'patternProperties')
  const [first] = isObject(patterns) ? Object.values(patterns) : []
  return at(schema, 'properties', name) === undefined ? first : undefined
}

/** The schema itself and all that it refers to or combines. */
export const alternatives = (root: JsonObject, schema: JsonObject): readonly JsonObject[] =>
  combined(root, schema, ['allOf', 'oneOf', 'anyOf', 'then'])

/** The schema itself and all that always applies with it. */
export const certainly = (root: JsonObject, schema: JsonObject): readonly JsonObject[] =>
  combined(root, schema, ['allOf'])

const combined = (
  root: JsonObject,
  schema: JsonObject,
  keywords: readonly string[],
): readonly JsonObject[] => {
  const found = new Set<JsonObject>()
  const visit = (value: JsonValue | undefined): void => {
    if (!isObject(value) || found.size >= maxHops || found.has(value)) return
    found.add(value)
    const reference = value['$ref']
    if (typeof reference === 'string') visit(resolve(root, reference))
    for (const keyword of keywords) for (const one of listAt(value, keyword)) visit(one)
  }
  visit({ ...schema })
  return [...found]
}

const resolve = (root: JsonObject, reference: string): JsonValue | undefined => {
  if (reference === '#') return { ...root }
  if (!reference.startsWith('#/')) return undefined
  const parts = reference.slice(2).split('/')
  return at(root, ...parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~')))
}
