import type { JsonObject } from '../certificate/read-certificate.ts'
import type { Family, Layouts } from '../family.ts'
import { type Labels, noLabels } from '../labels/labels.ts'
import { coa } from './coa/index.ts'
import { eCoc } from './e-coc/index.ts'
import { en10168 } from './en10168/index.ts'
import { generic } from './generic/index.ts'
import { metals } from './metals/index.ts'

/** Every certificate family. A certificate belongs to the first one that recognises it. */
export const families: readonly Family[] = [en10168, coa, eCoc, metals]

export const layouts: Layouts = Object.fromEntries(
  [...families, generic].map(({ name, layout }) => [name, layout]),
)

export const recogniseFamily = (json: JsonObject): Family | undefined =>
  families.find(({ recognise }) => recognise(json))

export const findFamily = (name: string): Family | undefined =>
  families.find((family) => family.name === name)

export const labelsOf = (name: string): Labels => findFamily(name)?.labels ?? noLabels
