import { hashCertificate } from '../certificate/hash-certificate.ts'
import { compileSchema, type SchemaCheck } from './compile-schema.ts'
import type { SchemaEntry } from './schema-entry.ts'
import { familyNameOf } from '../families/index.ts'

/** An entry that compiles and hashes its schema on first use. */
export const createEntry = (
  facts: Omit<SchemaEntry, 'id' | 'family' | 'revision' | 'check'>,
): SchemaEntry => {
  let compiled: SchemaCheck | undefined
  let revision: string | undefined
  return {
    ...facts,
    id: facts.urls[0] ?? '',
    family: familyNameOf(facts.type),
    get revision() {
      revision ??= hashCertificate(facts.schema)
      return revision
    },
    check: (json, alternatives) => {
      compiled ??= compileSchema(facts.schema)
      return compiled(json, alternatives)
    },
  }
}
