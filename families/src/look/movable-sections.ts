import type { Family, Words } from '../family.ts'
import { documentLabels } from '../labels/document-labels.ts'
import { createLabeler } from '../labels/labels.ts'

/** The sections that a look may move, with their titles on paper. */
export const movableSections = ({
  sections,
  labels,
}: Family): readonly { readonly name: string; readonly title: Words }[] => {
  const titleIn = (language: keyof Words, name: string): string =>
    createLabeler([language], [labels, documentLabels]).label(name).join(' / ')
  return sections.map((name) => ({ name, title: { en: titleIn('en', name), de: titleIn('de', name) } }))
}
