import type { ErrorObject } from 'ajv'
import { because, inEnglish } from '@millseal/contract/reasons'
import type { Certificate } from '../certificate/read-certificate.ts'
import { labelsOf } from '../families/index.ts'
import { documentLabels } from '../labels/document-labels.ts'
import { languageTag } from '../labels/labels.ts'
import { tooLongForPaper } from '../model/paper-limits.ts'
import { ValidationTooExpensive } from '../registry/meter.ts'
import type { SchemaEntry } from '../registry/schema-entry.ts'
import type { Finding } from './finding.ts'
import { reasonOf } from './reason.ts'

const maxFindings = 50

/** The violations of a schema, at most 50, or that it is too long for paper; none if the certificate conforms. `language` is that of the labels. */
export const validate = (
  certificate: Certificate,
  entry: SchemaEntry,
  language = 'en',
): readonly Finding[] => {
  try {
    const excess = tooLongForPaper(certificate.json, 'certificate')
    if (excess !== undefined) return [excess]
    const errors = entry.check(certificate.json, 'best')
    const findings = decisive(errors).map((error) => toFinding(error, { entry, language }))
    return [
      ...new Map(
        findings.map((finding) => [`${finding.pointer} ${inEnglish(finding.reason)}`, finding]),
      ).values(),
    ].slice(0, maxFindings)
  } catch (error) {
    if (!(error instanceof ValidationTooExpensive)) throw error
    return [{ pointer: '', reason: because('schema_too_complex') }]
  }
}

/** Leaves out summaries such as "must match one of the alternatives" if the errors of the alternatives are known. */
const decisive = (errors: readonly ErrorObject[]): readonly ErrorObject[] => {
  const summaries = new Set(['anyOf', 'oneOf', 'allOf', 'if', 'not'])
  const direct = errors.filter(({ keyword }) => !summaries.has(keyword))
  return direct.length === 0 ? errors : direct
}

const toFinding = (error: ErrorObject, about: { entry: SchemaEntry; language: string }): Finding => {
  const label = labelOf(error.instancePath, about)
  const finding = { pointer: error.instancePath, reason: reasonOf(error) }
  return label === undefined ? finding : { ...finding, label }
}

/** The label of the innermost key in the pointer that has one. */
const labelOf = (
  pointer: string,
  { entry, language }: { entry: SchemaEntry; language: string },
): string | undefined => {
  const sources = [documentLabels, entry.labels, labelsOf(entry.family)]
  const names = pointer
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .toReversed()
  for (const name of names.filter((part) => part !== '' && !/^\d+$/.test(part))) {
    for (const tag of [languageTag(language), 'en']) {
      const label = sources.map((labels) => labels.get(tag)?.get(name)).find((text) => text !== undefined)
      if (label !== undefined) return label
    }
  }
  return undefined
}
