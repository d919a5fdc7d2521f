import type { Text } from '../model/document.ts'
import type { Mapping } from './mapping.ts'

/** `Mill Certificate EN 10204 3.1` → the title that EN 10204 gives type 3.1, and the standard `EN 10204 3.1`. */
export const inspectionTitle = (
  mapping: Mapping,
  standard: string | undefined,
): { title: Text; standard: string | undefined } => {
  const type = /\b([23]\.[12])\b/.exec(standard ?? '')?.[1]
  if (type === undefined) return { title: mapping.label('InspectionDocument'), standard }
  const isNamed = /EN\s*10204/i.test(standard ?? '')
  return {
    title: mapping.label(`Type${type}`).map((text) => `${text} ${type}`),
    standard: isNamed ? `EN 10204 ${type}` : standard,
  }
}
