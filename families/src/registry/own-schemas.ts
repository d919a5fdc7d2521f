import type { JsonObject } from '../certificate/read-certificate.ts'
import { textAt } from '../certificate/shown.ts'
import { families } from '../families/index.ts'
import type { Family } from '../family.ts'
import { createEntry } from './create-entry.ts'
import type { SchemaEntry } from './schema-entry.ts'
import { ownBase, parseSchemaUrl } from './schema-url.ts'

/** The schemas that come with Millseal. Certificates name them by their `$id` or by the address of this server. */
export const ownEntries = (furtherBases: readonly string[]): readonly SchemaEntry[] =>
  families.flatMap((family) =>
    family.schemas.map((schema) => entryOf(family, schema as JsonObject, furtherBases)),
  )

const entryOf = (family: Family, schema: JsonObject, furtherBases: readonly string[]): SchemaEntry => {
  const id = textAt(schema, '$id') ?? ''
  const named = parseSchemaUrl(id)
  if (named === undefined)
    throw new Error(`The $id of a schema of ${family.name} has no type and version: ${id}`)
  const path = id.slice(ownBase.length)
  return createEntry({
    ...named,
    urls: [id, ...furtherBases.map((base) => `${base}${path}`)],
    origin: 'own',
    schema,
    labels: family.labels,
  })
}
