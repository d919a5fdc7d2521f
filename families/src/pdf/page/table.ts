import {
  drawLines,
  drawUnmarked,
  type Element,
  type Head,
  heightOf,
  type Line,
  type Page,
  type Piece,
  rowOf,
  type Stack,
  type TextStyle,
  widthOf,
} from '@millseal/pdf'
import type { Column as TableColumn, Row, Table } from '../../model/document.ts'
import { fitTable, type FittedTable, labelSize, type TablePart } from './fit-table.ts'
import { subTitle } from './heading.ts'
import { colours, strong, style } from './look.ts'
import { type Column, inLanguages, plainLines, type Setting } from './setting.ts'

type InSection = {
  readonly setting: Setting
  readonly parent: Element
  readonly column: Column
  readonly level: 'H2' | 'H3'
}

/** A table with more rows may be divided between pages. */
const mostRowsTogether = 10
const tallestTogether = 220

export const table = (given: Table, inSection: InSection): Piece[] => {
  const { setting, column } = inSection
  const ordered = { ...given, columns: given.columns.map(startFirst) }
  const fitted = fitTable(ordered, setting.typeface, column.width)
  const caption = given.caption === undefined ? [] : subTitle(given.caption, inSection)
  return [
    ...caption,
    ...fitted.parts.flatMap((part, index) =>
      tablePart(ordered, part, { ...inSection, fitted, isFirst: index === 0 }),
    ),
  ]
}

/** The first column names the row and is aligned left even if it is a number. */
const startFirst = (column: TableColumn, index: number): TableColumn =>
  index === 0 ? { ...column, align: 'start' } : column

type InTable = InSection & { readonly fitted: FittedTable; readonly isFirst: boolean }

/** A column of a part: where it is in the table and on the page. */
type Place = {
  readonly column: TableColumn
  readonly index: number
  readonly x: number
  readonly width: number
}

const tablePart = (given: Table, part: TablePart, inTable: InTable): Piece[] => {
  const { setting, parent, column, fitted, isFirst } = inTable
  const { structure } = setting
  const element = structure.add('Table', parent)
  let x = column.x
  const places = part.columns.flatMap((index, at): Place[] => {
    const width = part.widths[at] ?? 0
    const own = given.columns[index]
    x += width
    return own === undefined
      ? []
      : [{ column: own, index, x: x - width + fitted.inset, width: width - 2 * fitted.inset }]
  })
  const inPart: InPart = { ...inTable, places, right: x, element }
  const head = headOf(inPart)
  const body = structure.add('TBody', element)
  const shown = [...given.rows.entries()].filter(
    ([, row]) => fitted.parts.length === 1 || hasContent(row, places),
  )
  const pieces = shown.flatMap(([index, row]) => rowPieces(row, index, { ...inPart, body }))
  const headed = pieces.map((piece) => ({ ...piece, head: head.repeated }))
  const all = [{ ...head.piece, above: isFirst ? 2 : 8 }, ...headed]
  const isShort =
    all.length <= mostRowsTogether + 1 && all.reduce((sum, piece) => sum + piece.height, 0) <= tallestTogether
  return all.map((piece, index) => {
    const isLast = index === all.length - 1
    if (isLast) return piece
    if (index <= 1 || index === all.length - 2) return { ...piece, withNext: true }
    return isShort ? { ...piece, withNext: 'ifFilled' } : piece
  })
}

/** Limits of other columns say nothing in this part. */
const hasContent = ({ cells, emphasis }: Row, places: readonly Place[]): boolean => {
  const isLimitElsewhere = emphasis === 'requirement' && cells.slice(1).some((cell) => cell !== '')
  return !isLimitElsewhere || places.some(({ index }) => index > 0 && (cells[index] ?? '') !== '')
}

type InPart = InTable & {
  readonly places: readonly Place[]
  readonly right: number
  readonly element: Element
}

const headOf = ({ setting, places, right, element, column }: InPart): { piece: Piece; repeated: Head } => {
  const { structure, typeface } = setting
  const row = structure.add('TR', structure.add('THead', element))
  const stacks = places.map(
    (place): Stack => ({
      x: place.x,
      lines: aligned(
        headLines(place.column, {
          setting,
          element: structure.add('TH', row, { scope: 'Column' }),
          width: place.width,
        }),
        place,
        setting,
      ),
    }),
  )
  const height = Math.max(0, ...stacks.map(({ lines }) => heightOf(lines))) + 4
  const draw = (page: Page, top: number, drawStack: typeof drawLines): void => {
    for (const { x, lines } of stacks)
      drawStack(page, lines, { x, top: top + height - 3 - heightOf(lines), typeface })
    page.artifact(() =>
      page.rule({ x: column.x, y: top + height, width: right - column.x, stroke: 0.8, colour: colours.navy }),
    )
  }
  return {
    piece: { above: 0, height, withNext: true, draw: (page, top) => draw(page, top, drawLines) },
    repeated: { height, draw: (page, top) => draw(page, top, drawUnmarked) },
  }
}

const headLines = (
  { code, label, unit }: TableColumn,
  inCell: { readonly setting: Setting; readonly element: Element; readonly width: number },
): Line[] => {
  const { setting } = inCell
  const lines = inLanguages(label, strong(labelSize, colours.navy), setting).flatMap(({ text, style: own }) =>
    plainLines(text, own, inCell),
  )
  return [
    ...(code === undefined ? [] : plainLines(code, style(5.8, setting.accent), inCell)),
    ...lines,
    ...(unit === undefined ? [] : plainLines(unit, style(labelSize, colours.grey), inCell)),
  ]
}

const rowPieces = (row: Row, index: number, inPart: InPart & { readonly body: Element }): Piece[] => {
  const { setting, places, body, column, right, fitted } = inPart
  const { structure, typeface } = setting
  const element = structure.add('TR', body)
  const cellStyle = styleOf(row, fitted.size)
  const stacks = places.map((place, at): Stack => {
    const cell = at === 0 ? structure.add('TH', element, { scope: 'Row' }) : structure.add('TD', element)
    const shift = fitted.shifts[place.index]?.[index] ?? 0
    const text = row.cells[place.index] ?? ''
    const lines =
      text === ''
        ? []
        : plainLines(text, cellStyle, { setting, element: cell, width: place.width - shift + 0.01 })
    return { x: place.x, lines: aligned(lines, { ...place, width: place.width - shift }, setting) }
  })
  const decorate = (page: Page, { top, height }: { top: number; height: number }): void =>
    page.artifact(() =>
      page.rule({
        x: column.x,
        y: top + height,
        width: right - column.x,
        stroke: 0.4,
        colour: colours.hairline,
      }),
    )
  return rowOf(stacks, {
    typeface,
    above: 0,
    padding: { top: 1.4, bottom: 1.8 },
    decorate,
    minHeight: 1.22 * fitted.size,
  })
}

const styleOf = ({ emphasis }: Row, size: number): TextStyle => {
  if (emphasis === 'requirement') return style(size, colours.light)
  return emphasis === 'result' ? strong(size) : style(size)
}

const aligned = (lines: Line[], { column, width }: Place, { typeface }: Setting): readonly Line[] =>
  column.align === 'start'
    ? lines
    : lines.map((line) => ({
        ...line,
        parts: line.parts.map((part) => ({ ...part, x: width - widthOf(part.text, part.style, typeface) })),
      }))
