import type { JsonObject } from '../certificate/read-certificate.ts'
import type { Family, Layouts } from '../family.ts'
import { type Labels, noLabels } from '../labels/labels.ts'
import { coa } from './coa/index.ts'
import { eCoc } from './e-coc/index.ts'
import { en10168 } from './en10168/index.ts'
import { forestry } from './forestry/index.ts'
import { generic } from './generic/index.ts'
import { metals } from './metals/index.ts'

/** In the order in which people choose. A certificate belongs to the first one that recognises it. */
export const families: readonly Family[] = [en10168, coa, eCoc, forestry, metals]

export const layouts: Layouts = Object.fromEntries(
  [...families, generic].map(({ name, layout }) => [name, layout]),
)

export const recogniseFamily = (json: JsonObject): Family | undefined =>
  families.find(({ recognise }) => recognise(json))

export const findFamily = (name: string): Family | undefined =>
  families.find((family) => family.name === name)

const familyNames: ReadonlyMap<string, string> = new Map(
  families.flatMap(({ name, types }) => types.map(({ type }) => [type, name] as const)),
)

/** The family of a type, or the type without `-schemas` if it belongs to no family of ours. */
export const familyNameOf = (type: string): string => familyNames.get(type) ?? type.replace(/-schemas$/, '')

export const labelsOf = (name: string): Labels => findFamily(name)?.labels ?? noLabels
