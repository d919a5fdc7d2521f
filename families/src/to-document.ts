import { languagesOf } from './certificate/languages.ts'
import type { Certificate } from './certificate/read-certificate.ts'
import { generic } from './families/generic/index.ts'
import { findFamily } from './families/index.ts'
import { noLabels } from './labels/labels.ts'
import { labelsOf } from './labels/shared-labels.ts'
import { nameParts } from './look/name-parts.ts'
import { furtherData } from './mapping/further-data.ts'
import { startMapping } from './mapping/mapping.ts'
import type { DocumentModel } from './model/document.ts'
import { withoutUndefined } from './model/without-undefined.ts'
import type { SchemaEntry } from './registry/schema-entry.ts'

/** The document of a certificate, in the languages that the certificate asks for. */
export const toDocument = (
  certificate: Certificate,
  entry: Pick<SchemaEntry, 'family' | 'labels' | 'schema'>,
): DocumentModel => {
  const languages = languagesOf(certificate)
  const family = findFamily(entry.family)
  const sources = { schema: entry.labels, family: family?.labels ?? noLabels }
  const mapping = startMapping(certificate, labelsOf(sources, languages))
  const content = family === undefined ? generic.map(mapping, entry.schema) : family.map(mapping)
  return withoutUndefined({
    modelVersion: 1 as const,
    family: family?.name ?? generic.name,
    languages,
    ...content,
    sections: [
      ...nameParts(content.sections, mapping.labelName),
      ...furtherData(mapping, content, family?.forPrograms ?? []),
    ],
    warnings: mapping.warnings,
  })
}
