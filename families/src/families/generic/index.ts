import type { JsonObject } from '../../certificate/read-certificate.ts'
import { type FamilyContent, genericName, type Layout } from '../../family.ts'
import type { Mapping } from '../../mapping/mapping.ts'
import { mapGeneric } from './mapper.ts'

/** The fallback for schemas that belong to no family. Its mapper follows the schema in place of known fields. */
export const generic: {
  readonly name: string
  readonly map: (mapping: Mapping, schema: JsonObject) => FamilyContent
  readonly layout: Layout
} = { name: genericName, map: mapGeneric, layout: { accent: '#0f6e6a' } }
