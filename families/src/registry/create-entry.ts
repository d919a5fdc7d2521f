import { compileSchema, type SchemaCheck } from './compile-schema.ts'
import type { SchemaEntry } from './schema-entry.ts'
import { familyNameOf } from '../families/index.ts'

/** An entry that compiles its schema on first use. */
export const createEntry = (facts: Omit<SchemaEntry, 'id' | 'family' | 'check'>): SchemaEntry => {
  let compiled: SchemaCheck | undefined
  return {
    ...facts,
    id: facts.urls[0] ?? '',
    family: familyNameOf(facts.type),
    check: (json, alternatives) => {
      compiled ??= compileSchema(facts.schema)
      return compiled(json, alternatives)
    },
  }
}
