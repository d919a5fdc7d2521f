import type { JsonValue } from '@millseal/proof'
import { isObject, type JsonObject } from './read-certificate.ts'
import { textAt, textsAt } from './shown.ts'

/** Fields that name a heat or batch: EN 10168, CoA, metals, timber and, as the name of a property, E-CoC. */
const heatFields = new Set([
  'B07',
  'C00',
  'HeatNumber',
  'BatchId',
  'FillingBatchId',
  'ProductionBatchId',
  'CastNo',
  'BatchNo',
  'Lots',
  'Batches',
])

/** The heats and batches that a certificate of any family names, each once. */
export const heatsOf = ({ json }: { readonly json: JsonObject }): readonly string[] => [
  ...new Set(heatsIn(json)),
]

const heatsIn = (value: JsonValue | JsonObject): readonly string[] => {
  if (Array.isArray(value)) return value.flatMap(heatsIn)
  if (!isObject(value)) return []
  const named = heatFields.has(textAt(value, 'Name') ?? '') ? textsAt(value, 'Value') : []
  const fields = Object.entries(value).flatMap(([name, member]) =>
    heatFields.has(name) ? [...textsAt({ member }, 'member'), ...heatsIn(member)] : heatsIn(member),
  )
  return [...named, ...fields]
}
