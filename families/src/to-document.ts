import { languagesOf } from './certificate/languages.ts'
import type { Certificate } from './certificate/read-certificate.ts'
import { mapCoa } from './mappers/coa/map-coa.ts'
import { mapECoc } from './mappers/e-coc/map-e-coc.ts'
import { mapEn10168 } from './mappers/en10168/map-en10168.ts'
import type { FamilyContent } from './mappers/family-content.ts'
import { mapGeneric } from './mappers/generic/map-generic.ts'
import { type Mapping, startMapping } from './mappers/mapping.ts'
import { mapMetals } from './mappers/metals/map-metals.ts'
import type { DocumentModel } from './model/document.ts'
import { ownLabels } from './registry/own-labels.ts'
import type { SchemaEntry } from './registry/schema-entry.ts'

const mappers: Readonly<Record<string, (mapping: Mapping) => FamilyContent>> = {
  en10168: mapEn10168,
  coa: mapCoa,
  'e-coc': mapECoc,
  metals: mapMetals,
}

/** The certificate as it is shown, in the languages it asks for. */
export const toDocument = (
  certificate: Certificate,
  entry: Pick<SchemaEntry, 'family' | 'labels' | 'schema'>,
): DocumentModel => {
  const languages = languagesOf(certificate)
  const mapping = startMapping(certificate, { languages, labels: [entry.labels, ownLabels(entry.family)] })
  const map = Object.hasOwn(mappers, entry.family) ? mappers[entry.family] : undefined
  const { standard, number, date, logo, ...content } =
    map === undefined ? mapGeneric(mapping, entry.schema) : map(mapping)
  return {
    modelVersion: 1,
    family: map === undefined ? 'generic' : entry.family,
    languages,
    ...(standard === undefined ? {} : { standard }),
    ...(number === undefined ? {} : { number }),
    ...(date === undefined ? {} : { date }),
    ...(logo === undefined ? {} : { logo }),
    ...content,
    warnings: mapping.warnings,
  }
}
