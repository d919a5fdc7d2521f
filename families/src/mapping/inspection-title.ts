import type { Text } from '../model/document.ts'
import type { Mapping } from './mapping.ts'

/** `Mill Certificate EN 10204 3.1` → the title that EN 10204 gives type 3.1, and the standard `EN 10204 3.1`. */
export const inspectionTitle = (
  mapping: Mapping,
  given: string | undefined,
): { title: Text; standard: string | undefined } => {
  const type = /\b([23]\.[12])\b/.exec(given ?? '')?.[1]
  if (type === undefined) return { title: mapping.label('InspectionDocument'), standard: given }
  const isNamed = /EN\s*10204/i.test(given ?? '')
  return {
    title: mapping.label(`Type${type}`).map((text) => `${text} ${type}`),
    standard: isNamed ? `EN 10204 ${type}` : given,
  }
}
