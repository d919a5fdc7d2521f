import type { Block, Section, Text } from '../model/document.ts'
import { withoutUndefined } from '../model/without-undefined.ts'
import { isOptionalName } from './look.ts'

/** Names the sections and the optional parts by their labels, which are the same in all languages. */
export const nameParts = (
  sections: readonly Section[],
  labelName: (text: Text) => string | undefined,
): readonly Section[] => {
  const optionalName = (text: Text): string | undefined => {
    const name = labelName(text)
    return name !== undefined && isOptionalName(name) ? name : undefined
  }
  const nameBlock = (block: Block): Block => {
    if (block.kind === 'heading') return named(block, optionalName(block.text))
    if (block.kind !== 'fields' || !block.fields.some((field) => optionalName(field.label) !== undefined))
      return block
    return { ...block, fields: block.fields.map((field) => named(field, optionalName(field.label))) }
  }
  return sections.map((section) =>
    withoutUndefined({
      ...section,
      name: section.title === undefined ? undefined : labelName(section.title),
      blocks: section.blocks.map(nameBlock),
    }),
  )
}

const named = <T extends object>(part: T, name: string | undefined): T =>
  name === undefined ? part : { ...part, name }
