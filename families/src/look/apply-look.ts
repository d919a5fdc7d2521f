import { documentLabels } from '../labels/document-labels.ts'
import { createLabeler } from '../labels/labels.ts'
import type { Block, DocumentModel, Section, Text } from '../model/document.ts'
import { withoutUndefined } from '../model/without-undefined.ts'
import { isOptionalPart, type Look } from './look.ts'

/** The document as a company wants it to look. Hides only optional parts, whatever the look asks for. */
export const applyLook = (document: DocumentModel, look: Look): DocumentModel => {
  const hidden = new Set((look.hidden ?? []).filter(isOptionalPart))
  const sections = document.sections
    .map((section) => ({ ...section, blocks: visibleBlocks(section.blocks, hidden) }))
    .filter(({ blocks }) => blocks.length > 0)
  const drawn = withoutUndefined({ accent: look.accent, footer: footerOf(document.languages, look.footer) })
  return {
    ...document,
    ...withoutUndefined({
      logo: logoOf(document, look),
      look: Object.keys(drawn).length === 0 ? undefined : drawn,
    }),
    sections: inOrder(sections, look.sections ?? []),
  }
}

/** A hidden heading takes the block after it with it. */
const visibleBlocks = (blocks: readonly Block[], hidden: ReadonlySet<string>): readonly Block[] => {
  if (hidden.size === 0) return blocks
  const isHiddenHeading = (block: Block | undefined): boolean =>
    block?.kind === 'heading' && hidden.has(block.name ?? '')
  return blocks.flatMap((block, index): readonly Block[] => {
    if (isHiddenHeading(block) || isHiddenHeading(blocks[index - 1])) return []
    if (block.kind !== 'fields') return [block]
    const fields = block.fields.filter(({ name, code }) => !hidden.has(name ?? '') && !hidden.has(code ?? ''))
    return fields.length === 0 ? [] : [{ ...block, fields }]
  })
}

const lastSections = ['declaration', 'data', 'technical']

const inOrder = (sections: readonly Section[], names: readonly string[]): readonly Section[] => {
  const place = ({ name, role }: Section): number => {
    if (role !== undefined) return names.length + 1 + lastSections.indexOf(role)
    const wanted = names.indexOf(name ?? '')
    return wanted < 0 ? names.length : wanted
  }
  return sections.toSorted((a, b) => place(a) - place(b))
}

const logoOf = ({ logo, languages }: DocumentModel, look: Look): DocumentModel['logo'] => {
  if (look.logo === undefined || (logo !== undefined && look.logo.use === 'missing')) return logo
  const { label } = createLabeler(languages, [documentLabels])
  return { ...look.logo.picture, alternative: label('Logo') }
}

/** A language without a text has the English one, or the first. Equal texts appear once. */
const footerOf = (languages: readonly string[], footer: Look['footer'] = {}): Text | undefined => {
  const otherwise = footer['en'] ?? Object.values(footer)[0]
  if (otherwise === undefined) return undefined
  return [...new Set(languages.map((language) => footer[language] ?? otherwise))]
}
