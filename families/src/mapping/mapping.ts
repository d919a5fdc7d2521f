import type { JsonValue } from '@millseal/proof'
import type { Certificate } from '../certificate/read-certificate.ts'
import { shown } from '../certificate/shown.ts'
import { documentLabels } from '../labels/document-labels.ts'
import { createLabeler, type Labeler, type Labels } from '../labels/labels.ts'
import { dash } from '../model/dash.ts'
import type { MissingPicture, Picture, Text, Warning } from '../model/document.ts'
import { readPicture } from '../pictures/read-picture.ts'

/** What every mapper works with: the certificate with its numbers as text, the labels and the list of warnings. */
export type Mapping = {
  readonly json: JsonValue
  readonly languages: readonly string[]
  readonly label: Labeler['label']
  readonly hasLabel: Labeler['hasLabel']
  /** The name of the label that this text was made of. */
  labelName(text: Text): string | undefined
  readonly warnings: readonly Warning[]
  warn(warning: Warning): void
  /** The picture in a value; if it cannot be read, a placeholder and a warning. */
  picture(value: string, at: { pointer: string; alternative: Text }): Picture | MissingPicture
}

export type LabelSources = { readonly languages: readonly string[]; readonly labels: readonly Labels[] }

export const startMapping = (certificate: Certificate, sources: LabelSources): Mapping => {
  const { languages } = sources
  const labeler = createLabeler(languages, [...sources.labels, documentLabels])
  const labels = new Map<string, Text>()
  const labelNames = new Map<Text, string>()
  const labelled = new Map<string, boolean>()
  const warnings: Warning[] = []
  return {
    json: shown(certificate),
    languages,
    label: (name, otherwise) => {
      const known = otherwise === undefined ? labels.get(name) : undefined
      if (known !== undefined) return known
      const text = labeler.label(name, otherwise)
      if (otherwise === undefined) labels.set(name, text)
      labelNames.set(text, name)
      return text
    },
    labelName: (text) => labelNames.get(text),
    hasLabel: (name) => {
      const known = labelled.get(name) ?? labeler.hasLabel(name)
      labelled.set(name, known)
      return known
    },
    warnings,
    warn: (warning) => warnings.push(warning),
    picture: (value, { pointer, alternative }) => {
      if (value === dash) return { missing: alternative.map((text) => `${text}: ${dash}`) }
      const read = readPicture(value)
      if (!('flaw' in read)) return { ...read, alternative }
      warnings.push({ pointer, reason: `The picture ${read.flaw}` })
      const unreadable = labeler.label('PictureUnreadable')
      const sentence = (index: number) =>
        `${alternative[index] ?? alternative[0] ?? ''}: ${unreadable[index] ?? unreadable[0] ?? ''}`
      return { missing: unreadable.map((_, index) => sentence(index)) }
    },
  }
}
