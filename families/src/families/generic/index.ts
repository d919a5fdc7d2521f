import type { JsonObject } from '../../certificate/read-certificate.ts'
import type { FamilyContent, Layout } from '../../family.ts'
import type { Mapping } from '../../mapping/mapping.ts'
import { mapGeneric } from './mapper.ts'

/** Not a family but the fallback for schemas without one: it knows no fields and reads the schema in their place. */
export const generic: {
  readonly name: string
  readonly map: (mapping: Mapping, schema: JsonObject) => FamilyContent
  readonly layout: Layout
} = { name: 'generic', map: mapGeneric, layout: { accent: '#0f6e6a' } }
