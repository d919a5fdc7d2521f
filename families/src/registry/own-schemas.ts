import coa from '../schemas/coa-schemas/v1.0.0/schema.json' with { type: 'json' }
import eCoc from '../schemas/e-coc-schemas/v1.0.0/schema.json' with { type: 'json' }
import en10168 from '../schemas/en10168-schemas/v1.0.0/schema.json' with { type: 'json' }
import metals from '../schemas/metals-schemas/v1.0.0/schema.json' with { type: 'json' }
import type { JsonObject } from '../certificate/read-certificate.ts'
import { createEntry } from './create-entry.ts'
import { ownLabels } from './own-labels.ts'
import type { SchemaEntry } from './schema-entry.ts'
import { familyOfType, ownBase, parseSchemaUrl } from './schema-url.ts'

// What TypeScript infers from these files is narrower than JSON and of no use.
const schemas = [en10168, coa, eCoc, metals] as unknown as readonly (JsonObject & { $id: string })[]

/** The schemas that come with Millseal, known by their own name and by the address of this server. */
export const ownEntries = (furtherBases: readonly string[]): readonly SchemaEntry[] =>
  schemas.flatMap((schema) => {
    const { $id: id } = schema
    const named = parseSchemaUrl(id)
    if (named === undefined) return []
    const path = id.slice(ownBase.length)
    return [
      createEntry({
        ...named,
        urls: [id, ...furtherBases.map((base) => `${base}${path}`)],
        origin: 'own',
        schema,
        labels: ownLabels(familyOfType(named.type)),
      }),
    ]
  })
