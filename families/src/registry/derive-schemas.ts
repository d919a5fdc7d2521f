import type { JsonValue } from '@millseal/proof'
import { isObject, type JsonObject } from '../certificate/read-certificate.ts'
import { mapSubSchemas } from './sub-schemas.ts'
import { ownBase } from './schema-url.ts'

/** JSON pointer → what stands there instead; undefined removes it. */
export type Changes = Readonly<Record<string, unknown>>

export type SchemaVersion = {
  readonly version: string
  /** The differences to the version before it in the list. */
  readonly changes?: Changes
}

/**
 * One schema for each published version of a type, newest first. Each is the one before it with its changes; the first
 * starts from `base`.
 */
export const deriveSchemas = (
  base: unknown,
  { type, versions }: { type: string; versions: readonly SchemaVersion[] },
): readonly JsonObject[] => {
  let schema = base as JsonObject
  return versions.map(({ version, changes = {} }) => {
    schema = { ...applyChanges(schema, changes), $id: `${ownBase}/${type}/v${version}/schema.json` }
    return schema
  })
}

export const applyChanges = (schema: unknown, changes: Changes): JsonObject => {
  const changed = structuredClone(schema) as { [key: string]: JsonValue }
  for (const [pointer, value] of Object.entries(changes)) {
    const [name = '', ...parents] = pointer.slice(1).split('/').map(unescapePointer).toReversed()
    const place = parents.toReversed().reduce<JsonValue | undefined>(step, changed)
    if (!isObject(place)) throw new Error(`The schema has no ${pointer}`)
    if (value === undefined) delete place[name]
    else place[name] = value as JsonValue
  }
  return changed
}

const step = (value: JsonValue | undefined, name: string): JsonValue | undefined => {
  if (isObject(value)) return value[name]
  return Array.isArray(value) ? value[Number(name)] : undefined
}

const unescapePointer = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~')

/** The same schema without some of its keywords, at every depth. */
const without = (
  schema: JsonObject,
  isLeftOut: (keyword: string, value: JsonValue) => boolean,
): JsonObject => {
  const inner = mapSubSchemas(schema, (one) => without(one, isLeftOut))
  return Object.fromEntries(Object.entries(inner).filter(([keyword, value]) => !isLeftOut(keyword, value)))
}

/** What an older version did not demand. */
export const withoutKeywords = (schema: unknown, keywords: readonly string[]): JsonObject =>
  without(schema as JsonObject, (keyword) => keywords.includes(keyword))

/** The published schemas accept empty texts where ours ask for content. */
export const withEmptyTexts = (schema: unknown): JsonObject =>
  without(schema as JsonObject, (keyword, value) => keyword === 'minLength' && value === 1)
