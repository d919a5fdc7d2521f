import type { Text } from '../model/document.ts'

/** Language (BCP 47, lower case) → field name → label. */
export type Labels = ReadonlyMap<string, ReadonlyMap<string, string>>

export const noLabels: Labels = new Map()

const maxLabelLength = 200

/**
 * Reads labels as packs have them: language → (any groups) → name → label. Groups are flattened; of two equal names the
 * first counts. Certificates and packs write CN for zh.
 */
export const readLabels = (translations: unknown): Labels => {
  const labels = new Map<string, ReadonlyMap<string, string>>()
  if (!isRecord(translations)) return labels
  for (const [language, group] of Object.entries(translations)) {
    const names = new Map<string, string>()
    collect(group, { names, depth: 0 })
    labels.set(languageTag(language), names)
  }
  return labels
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const collect = (group: unknown, to: { names: Map<string, string>; depth: number }): void => {
  if (!isRecord(group) || to.depth > 8) return
  for (const [name, value] of Object.entries(group)) {
    if (typeof value !== 'string') collect(value, { names: to.names, depth: to.depth + 1 })
    else if (!to.names.has(name)) {
      to.names.set(name, value.replaceAll(/\s+/g, ' ').trim().slice(0, maxLabelLength))
    }
  }
}

export const languageTag = (language: string): string => {
  const tag = language.toLowerCase()
  return tag === 'cn' ? 'zh' : tag
}

export type Labeler = {
  readonly languages: readonly string[]
  /**
   * The label in every language of the document. Falls back to `otherwise`, the English label, or the name in words.
   */
  label(name: string, otherwise?: string): Text
  /** Whether any source has a label for the name. */
  hasLabel(name: string): boolean
}

/** Looks labels up in the sources, in their order. */
export const createLabeler = (languages: readonly string[], sources: readonly Labels[]): Labeler => {
  const inLanguage = (language: string) => sources.flatMap((source) => source.get(language) ?? [])
  const own = languages.map(inLanguage)
  const english = inLanguage('en')
  return {
    languages,
    label: (name, otherwise) => {
      const texts = own.map(
        (labels) => find(labels, name) ?? otherwise ?? find(english, name) ?? splitName(name),
      )
      return texts.length === 2 && texts[0] !== texts[1] ? texts : [...new Set(texts)]
    },
    hasLabel: (name) =>
      find(english, name) !== undefined || own.some((labels) => find(labels, name) !== undefined),
  }
}

const find = (sources: readonly ReadonlyMap<string, string>[], name: string): string | undefined => {
  for (const source of sources) {
    const label = source.get(name)
    if (label !== undefined && label !== '') return label
  }
  return undefined
}

/** `CountryOfOrigin` → `Country of origin`, `VAT_Id` → `VAT Id`: for fields without a label. */
export const splitName = (name: string): string => {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .replaceAll(/[_\s]+/g, ' ')
    .trim()
    .split(' ')
  const phrase = words
    .map((word, index) => (index > 0 && /^[A-Z][a-z]+$/.test(word) ? word.toLowerCase() : word))
    .join(' ')
  return phrase.charAt(0).toUpperCase() + phrase.slice(1)
}
