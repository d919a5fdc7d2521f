import type { FamilyContent } from '../family.ts'
import type { Block, MissingPicture, Picture, Section } from '../model/document.ts'

type Visit = (text: string) => void

/** Visits every text that a reader of the document, or of a part of it, sees. */
export const visitTexts = (content: Partial<FamilyContent>, visit: Visit): void => {
  const { title, standard, number, date, logo, parties = [], sections = [], files = [] } = content
  visitEach(title, visit)
  visitOne(standard, visit)
  visitOne(number, visit)
  visitOne(date, visit)
  visitPicture(logo, visit)
  for (const { role, code, name, lines } of parties) {
    visitEach(role, visit)
    visitOne(code, visit)
    visit(name)
    for (const { label, value } of lines) {
      visitEach(label, visit)
      visit(value)
    }
  }
  visitSections(sections, visit)
  for (const { name, type, description } of files) {
    visit(name)
    visit(type)
    visitOne(description, visit)
  }
}

export const visitSections = (sections: readonly Section[], visit: Visit): void => {
  for (const { title, blocks } of sections) {
    visitEach(title, visit)
    for (const block of blocks) visitBlock(block, visit)
  }
}

const visitBlock = (block: Block, visit: Visit): void => {
  switch (block.kind) {
    case 'fields':
      for (const { label, code, value, unit } of block.fields) {
        visitEach(label, visit)
        visitOne(code, visit)
        visit(value)
        visitOne(unit, visit)
      }
      break
    case 'table':
      visitEach(block.table.caption, visit)
      for (const { label, code, unit } of block.table.columns) {
        visitEach(label, visit)
        visitOne(code, visit)
        visitOne(unit, visit)
      }
      for (const { cells } of block.table.rows) visitEach(cells, visit)
      break
    case 'paragraph':
    case 'heading':
      visitEach(block.text, visit)
      break
    case 'picture':
      visitEach(block.caption, visit)
      visitPicture(block.picture, visit)
      break
    default:
      block satisfies never
  }
}

const visitPicture = (picture: Picture | MissingPicture | undefined, visit: Visit): void => {
  if (picture !== undefined) visitEach('missing' in picture ? picture.missing : picture.alternative, visit)
}

const visitOne = (text: string | undefined, visit: Visit): void => {
  if (text !== undefined) visit(text)
}

const visitEach = (texts: readonly string[] | undefined, visit: Visit): void => {
  if (texts !== undefined) for (const text of texts) visit(text)
}
