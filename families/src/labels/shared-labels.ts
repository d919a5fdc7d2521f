import type { Text } from '../model/document.ts'
import { documentLabels } from './document-labels.ts'
import { createLabeler, type Labeler, type Labels } from './labels.ts'

/** The labels of one schema in the languages of a document: the same text each time for a name that has a label. */
export type SharedLabels = Labeler & {
  /** The name of the label that this text was made of. */
  nameOf(text: Text): string | undefined
}

/** Certificates may name any languages, and any two of them. */
const mostLanguages = 64
const shared = new WeakMap<Labels, WeakMap<Labels, Map<string, SharedLabels>>>()

/** Looked up in those of the schema, then in those of its family, then in those of the page. */
export const labelsOf = (
  { schema, family }: { readonly schema: Labels; readonly family: Labels },
  languages: readonly string[],
): SharedLabels => {
  const ofSchema = shared.get(schema) ?? new WeakMap<Labels, Map<string, SharedLabels>>()
  shared.set(schema, ofSchema)
  const byLanguages = ofSchema.get(family) ?? new Map<string, SharedLabels>()
  ofSchema.set(family, byLanguages)
  const key = languages.join(' ')
  const known = byLanguages.get(key)
  if (known !== undefined) return known
  const labels = shareLabels(createLabeler(languages, [schema, family, documentLabels]))
  const [oldest] = byLanguages.keys()
  if (byLanguages.size >= mostLanguages && oldest !== undefined) byLanguages.delete(oldest)
  byLanguages.set(key, labels)
  return labels
}

/** Remembers names with a label only: certificates may have any others. */
const shareLabels = (labeler: Labeler): SharedLabels => {
  const texts = new Map<string, Text>()
  const names = new Map<Text, string>()
  return {
    languages: labeler.languages,
    label: (name, otherwise) => {
      const known = otherwise === undefined ? texts.get(name) : undefined
      if (known !== undefined) return known
      const text = labeler.label(name, otherwise)
      if (otherwise !== undefined || !labeler.hasLabel(name)) return text
      texts.set(name, text)
      names.set(text, name)
      return text
    },
    hasLabel: (name) => texts.has(name) || labeler.hasLabel(name),
    nameOf: (text) => names.get(text),
  }
}
