import type { JsonObject } from './read-certificate.ts'
import { textsAt } from './shown.ts'

/** What EN 10204 asks of an inspection document, as the reason of a finding. */
export const en10204 = {
  inspector: 'does not name the person responsible for the inspection (EN 10204)',
  declaration: 'does not declare that the product conforms to the order (EN 10204)',
  order: 'does not refer to an order (EN 10204)',
  heat: 'does not name the heat or batch that the results belong to (EN 10204)',
}

/** Whether there is text at the path, for answering questions. */
export const hasText = (json: JsonObject, ...path: readonly string[]): boolean =>
  textsAt(json, ...path).length > 0
