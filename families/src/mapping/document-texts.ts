import type { FamilyContent } from '../family.ts'
import type { Block, MissingPicture, Picture, Section } from '../model/document.ts'

type Visit = (text: string) => void

/** Visits every text that a reader of the document, or of a part of it, sees. */
export const visitTexts = (content: Partial<FamilyContent>, visit: Visit): void => {
  const { title, standard, number, date, logo, parties = [], sections = [], files = [] } = content
  visitAll(visit, title, standard, number, date)
  visitPicture(logo, visit)
  for (const { role, code, name, lines } of parties) {
    visitAll(visit, role, code, name)
    for (const { label, value } of lines) visitAll(visit, label, value)
  }
  visitSections(sections, visit)
  for (const { name, type, description } of files) visitAll(visit, name, type, description)
}

export const visitSections = (sections: readonly Section[], visit: Visit): void => {
  for (const { title, blocks } of sections) {
    visitAll(visit, title)
    for (const block of blocks) visitBlock(block, visit)
  }
}

const visitBlock = (block: Block, visit: Visit): void => {
  switch (block.kind) {
    case 'fields':
      for (const { label, code, value, unit } of block.fields) visitAll(visit, label, code, value, unit)
      break
    case 'table':
      visitAll(visit, block.table.caption)
      for (const { label, code, unit } of block.table.columns) visitAll(visit, label, code, unit)
      for (const { cells } of block.table.rows) visitAll(visit, cells)
      break
    case 'paragraph':
    case 'heading':
      visitAll(visit, block.text)
      break
    case 'picture':
      visitAll(visit, block.caption)
      visitPicture(block.picture, visit)
      break
    default:
      block satisfies never
  }
}

const visitPicture = (picture: Picture | MissingPicture | undefined, visit: Visit): void => {
  if (picture !== undefined) visitAll(visit, 'missing' in picture ? picture.missing : picture.alternative)
}

const visitAll = (visit: Visit, ...values: readonly (string | readonly string[] | undefined)[]): void => {
  for (const value of values) {
    if (typeof value === 'string') visit(value)
    else if (value !== undefined) for (const text of value) visit(text)
  }
}
