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
    if (block.kind === 'heading') return withoutUndefined({ ...block, name: optionalName(block.text) })
    if (block.kind !== 'fields') return block
    const fields = block.fields.map((field) =>
      withoutUndefined({ ...field, name: optionalName(field.label) }),
    )
    return { ...block, fields }
  }
  return sections.map((section) =>
    withoutUndefined({
      ...section,
      name: section.title === undefined ? undefined : labelName(section.title),
      blocks: section.blocks.map(nameBlock),
    }),
  )
}
