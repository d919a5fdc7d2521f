import { inEnglish } from '@millseal/contract/reasons'
import type { JsonValue } from '@millseal/proof'
import type { Certificate } from '../certificate/read-certificate.ts'
import { printed } from '../certificate/shown.ts'
import type { Labeler } from '../labels/labels.ts'
import type { SharedLabels } from '../labels/shared-labels.ts'
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

export const startMapping = (certificate: Certificate, labels: SharedLabels): Mapping => {
  /** Of names without a label, which are made of their words, and of labels with a text of their own. */
  const ownTexts = new Map<string, Text>()
  const ownNames = new Map<Text, string>()
  const warnings: Warning[] = []
  return {
    json: printed(certificate, labels.languages),
    languages: labels.languages,
    label: (name, otherwise) => {
      const known = otherwise === undefined ? ownTexts.get(name) : undefined
      if (known !== undefined) return known
      const text = labels.label(name, otherwise)
      if (labels.nameOf(text) !== undefined) return text
      if (otherwise === undefined) ownTexts.set(name, text)
      ownNames.set(text, name)
      return text
    },
    labelName: (text) => labels.nameOf(text) ?? ownNames.get(text),
    hasLabel: labels.hasLabel,
    warnings,
    warn: (warning) => warnings.push(warning),
    picture: (value, { pointer, alternative }) => {
      if (value === dash) return { missing: alternative.map((text) => `${text}: ${dash}`) }
      const read = readPicture(value)
      if (!('flaw' in read)) return { ...read, alternative }
      warnings.push({ pointer, reason: `The picture ${inEnglish(read.flaw)}` })
      const unreadable = labels.label('PictureUnreadable')
      const sentence = (index: number) =>
        `${alternative[index] ?? alternative[0] ?? ''}: ${unreadable[index] ?? unreadable[0] ?? ''}`
      return { missing: unreadable.map((_, index) => sentence(index)) }
    },
  }
}
