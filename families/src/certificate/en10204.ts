import { because } from '@millseal/contract/reasons'
import type { JsonObject } from './read-certificate.ts'
import { textsAt } from './shown.ts'

/** What EN 10204 asks of an inspection document, as the reason of a finding. */
export const en10204 = {
  inspector: because('no_inspector'),
  declaration: because('no_declaration'),
  order: because('no_order'),
  heat: because('no_heat'),
}

/** Whether there is text at the path, for answering questions. */
export const hasText = (json: JsonObject, ...path: readonly string[]): boolean =>
  textsAt(json, ...path).length > 0
