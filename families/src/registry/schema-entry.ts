import type { JsonObject } from '../certificate/read-certificate.ts'
import type { Labels } from '../labels/labels.ts'
import type { SchemaCheck } from './compile-schema.ts'

/** A schema that certificates may name. */
export type SchemaEntry = {
  /** As in GET /certificates/schemas: `en10168-schemas`. */
  readonly type: string
  /** The name of a family, or the type without `-schemas` if it belongs to none of ours. */
  readonly family: string
  /** Without `v`: `0.5.0`. */
  readonly version: string
  /** Its `$id`. */
  readonly id: string
  /** The names that certificates may use; the first is its `$id`. */
  readonly urls: readonly string[]
  readonly origin: 'own' | 'pack'
  /** SHA-256 of its canonical JSON in hex: publishers change schemas and keep their names. */
  readonly revision: string
  readonly schema: JsonObject
  readonly labels: Labels
  readonly check: SchemaCheck
}
