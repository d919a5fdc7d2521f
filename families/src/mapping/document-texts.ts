import type { FamilyContent } from '../family.ts'
import type { Block, MissingPicture, Picture, Text } from '../model/document.ts'

type Content = Pick<FamilyContent, 'sections'> & Partial<FamilyContent>

/** Every text that a reader of the document sees. */
export function* documentTexts(content: Content): Generator<string> {
  const { title = [], standard, number, date, logo, parties = [], sections, files = [] } = content
  yield* some(...title, standard, number, date, ...pictureTexts(logo))
  for (const { role, code, name, lines } of parties) {
    yield* some(...role, code, name)
    for (const { label = [], value } of lines) yield* some(...label, value)
  }
  for (const section of sections) {
    yield* section.title ?? []
    for (const block of section.blocks) yield* blockTexts(block)
  }
  for (const { name, type, description } of files) yield* some(name, type, description)
}

function* blockTexts(block: Block): Generator<string> {
  switch (block.kind) {
    case 'fields':
      for (const { label, code, value, unit } of block.fields) yield* some(...label, code, value, unit)
      break
    case 'table':
      yield* block.table.caption ?? []
      for (const { label, code, unit } of block.table.columns) yield* some(...label, code, unit)
      for (const { cells } of block.table.rows) yield* cells
      break
    case 'paragraph':
    case 'heading':
      yield* block.text
      break
    case 'picture':
      yield* some(...(block.caption ?? []), ...pictureTexts(block.picture))
      break
    default:
      block satisfies never
  }
}

const pictureTexts = (picture: Picture | MissingPicture | undefined): Text =>
  picture === undefined ? [] : 'missing' in picture ? picture.missing : picture.alternative

const some = (...texts: readonly (string | undefined)[]): readonly string[] =>
  texts.filter((text) => text !== undefined)
