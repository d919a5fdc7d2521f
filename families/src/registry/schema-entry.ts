import type { JsonObject } from '../certificate/read-certificate.ts'
import type { Labels } from '../labels/labels.ts'
import type { SchemaCheck } from './compile-schema.ts'

/** A schema that certificates may name. */
export type SchemaEntry = {
  /** As in GET /certificates/schemas: `en10168-schemas`. */
  readonly type: string
  /** `en10168`, `coa`, `e-coc`, `metals`; for any other type its name without `-schemas`. */
  readonly family: string
  /** Without `v`: `0.5.0`. */
  readonly version: string
  /** What certificates may name it by; the first is its own `$id`. */
  readonly urls: readonly string[]
  readonly origin: 'own' | 'pack'
  readonly schema: JsonObject
  readonly labels: Labels
  readonly check: SchemaCheck
}
