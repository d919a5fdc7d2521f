import {
  type Block as PageBlock,
  type Element,
  heightOfPiece,
  type Page,
  type Piece,
  rowOf,
} from '@millseal/pdf'
import type { Block, Section, Text } from '../../model/document.ts'
import { fields } from './fields.ts'
import { sectionTitle, subTitle } from './heading.ts'
import { area, style } from './look.ts'
import { pictureBlock } from './picture.ts'
import { type Column, inLanguages, plainLines, type Setting } from './setting.ts'
import { table } from './table.ts'

const textStyle = style(8.5)
/** A paragraph may be divided after this height. */
const paragraphHeight = 60

type InSection = {
  readonly setting: Setting
  readonly parent: Element
  readonly column: Column
  /** The level of headings inside. */
  readonly level: 'H2' | 'H3'
  /** The size of values: what programs need is smaller. */
  readonly size: number
}

export const section = (given: Section, setting: Setting): PageBlock => {
  const parent = setting.structure.add('Sect', setting.structure.root)
  const level = given.title === undefined ? 'H2' : 'H3'
  const isDeclaration = given.role === 'declaration'
  const column = isDeclaration
    ? { x: area.x + declarationInset, width: area.width - declarationInset }
    : { x: area.x, width: area.width }
  const titled = given.title === undefined ? [] : sectionTitle(given.title, { setting, parent, column: area })
  const size = given.role === 'data' ? 7.2 : 9
  const inSection: InSection = { setting, parent, column, level, size }
  if (!isDeclaration)
    return { pieces: [...titled, ...blocks(given.blocks, inSection)], isClosing: given.role === 'data' }
  const parts = partsOf(given.blocks).map((part) =>
    blocks(part, inSection).map((piece) => besideRule(piece, setting)),
  )
  return {
    pieces: parts.flatMap((part, index) => together(index === 0 ? [...titled, ...part] : part)),
    isClosing: true,
  }
}

/**
 * The statement with its signatures, and each mark that has a heading, such as the CE marking. If only the statement
 * fits on the page with the results, it is printed there and the marks on the next page.
 */
const partsOf = (all: readonly Block[]): readonly (readonly Block[])[] => {
  const parts: Block[][] = [[]]
  for (const [index, block] of all.entries()) {
    const isMark = block.kind === 'heading' && all[index + 1]?.kind === 'picture'
    if (isMark && index > 0) parts.push([])
    parts.at(-1)?.push(block)
  }
  return parts
}

/** A part of a declaration is on one page, unless it needs most of it. */
const together = (pieces: readonly Piece[]): readonly Piece[] => {
  const height = pieces.reduce((sum, piece) => sum + piece.above + piece.height, 0)
  if (height > area.height / 2) return pieces
  return pieces.map((piece, at) => (at === pieces.length - 1 ? piece : { ...piece, withNext: true }))
}

const declarationInset = 12

/** A declaration has a rule at its side, so that nobody overlooks it. */
const besideRule = (piece: Piece, { accent }: Setting): Piece => ({
  ...piece,
  above: 0,
  height: piece.above + piece.height,
  padding: piece.above + (piece.padding ?? 0),
  draw: (page: Page, top: number, scale: number) => {
    const above = piece.above * scale
    const height = above + heightOfPiece(piece, scale)
    page.artifact(() => page.rule({ x: area.x + 1, y: top, height, stroke: 2, colour: accent }))
    piece.draw(page, top + above, scale)
  },
})

const blocks = (all: readonly Block[], inSection: InSection): Piece[] =>
  all.flatMap((block, index) => {
    const pieces = blockPieces(block, inSection)
    const introducesTable = block.kind === 'fields' && all[index + 1]?.kind === 'table'
    return withoutOrphans(pieces, introducesTable)
  })

/** Never leaves the first or the last piece of several alone on a page. */
const withoutOrphans = (pieces: readonly Piece[], isIntroduction: boolean): Piece[] =>
  pieces.map((piece, index) => {
    const isKept = index === 0 || index === pieces.length - 2
    const isLast = index === pieces.length - 1
    if (isLast) return isIntroduction ? { ...piece, withNext: 'ifFilled' } : piece
    return isKept ? { ...piece, withNext: true } : piece
  })

const blockPieces = (block: Block, inSection: InSection): Piece[] => {
  if (block.kind === 'fields') return fields(block.fields, inSection)
  if (block.kind === 'table') return table(block.table, inSection)
  if (block.kind === 'picture') return pictureBlock(block, inSection)
  if (block.kind === 'heading') return subTitle(block.text, inSection)
  return paragraph(block.text, inSection)
}

/** The two languages of a text are side by side. */
const paragraph = (texts: Text, { setting, parent, column }: InSection): Piece[] => {
  const shown = inLanguages(texts, textStyle, setting)
  const width = shown.length === 1 ? column.width : (column.width - 16) / 2
  const stacks = shown.map(({ text, style: own }, index) => ({
    x: column.x + index * (width + 16),
    lines: plainLines(text, own, { setting, element: setting.structure.add('P', parent), width }),
  }))
  return rowOf(stacks, { typeface: setting.typeface, above: 6, maxHeight: paragraphHeight })
}
