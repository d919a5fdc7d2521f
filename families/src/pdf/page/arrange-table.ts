import type { Column, Table } from '../../model/document.ts'
import { columnsWidth } from './grid.ts'
import type { Measure } from './measure.ts'
import type { PageTable, TablePart } from './page-model.ts'
import { decimalShifts } from './decimals.ts'

/** In points, as in `layouts/components.typ`. */
const cellSize = 7.6
const labelSize = 7
/** Left and right padding of a cell together; the smaller one is used if the table then needs fewer parts. */
const preferredPadding = 8
const minPadding = 5
/** A row with more lines may break across pages. */
const maxLines = 25

type Width = { readonly natural: number; readonly minimum: number }

type Line = { readonly measure: Measure; readonly width: number }

/** `width`: of the text in points. */
export const arrangeTable = (original: Table, { measure, width }: Line): PageTable => {
  const table = { ...original, columns: original.columns.map(startFirst) }
  const shifts = decimalShifts(table, measure)
  const bare = table.columns.map((column, index) => columnWidth({ table, column, index, shifts, measure }))
  const padTo = (padding: number) => ({
    padding,
    parts: splitIntoParts(
      bare.map((column) => padded(column, padding, width)),
      width,
    ),
  })
  const preferred = padTo(preferredPadding)
  const narrow = padTo(minPadding)
  const { padding, parts } = narrow.parts.length < preferred.parts.length ? narrow : preferred
  const widthOf = new Map(
    parts.flatMap((part) => part.columns.map((column, at) => [column, part.widths[at] ?? 0])),
  )
  const line = (column: number) => (widthOf.get(column) ?? width) - padding
  const columns = table.columns.map((column, index) => ({
    ...column,
    label: column.label.map((text) => measure.breakable(text, labelSize * 1.05, line(index))),
  }))
  const rows = table.rows.map((row) => ({
    ...row,
    cells: row.cells.map((cell, index) => measure.breakable(cell, cellSize, line(index))),
  }))
  const lines = table.rows.map(({ cells }, row) =>
    Math.max(
      1,
      ...cells.map((cell, at) => linesOf(cell, line(at) - (shifts[row]?.[at] ?? 0) * cellSize, measure)),
    ),
  )
  const tallest = Math.max(0, ...lines)
  return {
    ...table,
    columns,
    rows,
    parts,
    shifts,
    inset: padding / 2,
    oneLine: tallest === 1,
    together: rows.length <= 10 && tallest <= 5,
    breakable: tallest > maxLines,
  }
}

const padded = ({ natural, minimum }: Width, padding: number, pageWidth: number): Width => {
  const within = (width: number) => Math.min(Math.max(width, 10) + padding, pageWidth)
  return { natural: within(natural), minimum: within(Math.min(minimum, natural)) }
}

/** The first column names the row and is aligned left even if it is a number. */
const startFirst = (column: Column, index: number): Column =>
  index === 0 ? { ...column, align: 'start' } : column

const linesOf = (cell: string, width: number, measure: Measure): number =>
  cell
    .split('\n')
    .reduce((sum, line) => sum + Math.max(1, Math.ceil((measure.text(line, cellSize) * 1.1) / width)), 0)

type ColumnInput = {
  readonly table: Table
  readonly column: Column
  readonly index: number
  readonly shifts: PageTable['shifts']
  readonly measure: Measure
}

const columnWidth = ({ table, column, index, shifts, measure }: ColumnInput): Width => {
  const labels = [...column.label, column.unit ?? '', column.code ?? '']
  const labelWord = Math.max(...labels.map((label) => measure.longestWord(label, labelSize, 'strong')))
  const label = Math.max(...labels.map((text) => measure.text(text, labelSize, 'strong')))
  let natural = Math.max(labelWord, Math.min(label, 60))
  let minimum = labelWord
  for (const [at, row] of table.rows.entries()) {
    const cell = row.cells[index] ?? ''
    const shift = (shifts[at]?.[index] ?? 0) * cellSize
    const weight = row.emphasis === 'result' ? 'strong' : 'regular'
    const width = Math.max(...cell.split('\n').map((line) => measure.text(line, cellSize, weight))) + shift
    natural = Math.max(natural, width)
    const word = measure.longestWord(cell, cellSize, weight)
    minimum = Math.max(minimum, column.align === 'end' ? width : Math.min(word, 120))
  }
  return { natural, minimum }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)

/** One part if the minimum widths fit the page, else several. */
const splitIntoParts = (widths: readonly Width[], pageWidth: number): TablePart[] => {
  const all = widths.map((_, index) => index)
  if (sum(widths.map(({ minimum }) => minimum)) <= pageWidth) return [fit(all, widths, pageWidth)]
  const first = Math.min(widths[0]?.minimum ?? 0, pageWidth / 3)
  const rest = all.slice(1)
  const available = pageWidth - first
  const minimumOf = (index: number): number => Math.min(widths[index]?.minimum ?? 0, available)
  const target = sum(rest.map(minimumOf)) / Math.ceil(sum(rest.map(minimumOf)) / available)
  const groups: number[][] = [[]]
  let used = 0
  for (const index of rest) {
    const isFull = used + minimumOf(index) > available || used + minimumOf(index) / 2 > target
    if (isFull && used > 0) {
      groups.push([])
      used = 0
    }
    groups.at(-1)?.push(index)
    used += minimumOf(index)
  }
  const narrowed = widths.map((width, index) => (index === 0 ? { natural: first, minimum: first } : width))
  return groups.map((group) => fit([0, ...group], narrowed, pageWidth))
}

/**
 * The width of a table with few narrow columns: it ends with the first, second or third column of fields, because the
 * eye loses the line in a row that is stretched too far.
 */
const stretched = (total: number, pageWidth: number): number =>
  [1, 2].map((span) => columnsWidth(span, pageWidth)).find((width) => width >= 1.6 * total) ?? pageWidth

/** Shrinks the natural widths towards the minimum ones if the page is too narrow, else stretches them. */
const fit = (columns: readonly number[], widths: readonly Width[], pageWidth: number): TablePart => {
  const natural = columns.map((index) => widths[index]?.natural ?? 0)
  const minimum = columns.map((index) => Math.min(widths[index]?.minimum ?? 0, pageWidth))
  const total = sum(natural)
  const spare = pageWidth - sum(minimum)
  const flexible = total - sum(minimum)
  const scaled =
    total <= pageWidth
      ? natural.map((width) => width * (stretched(total, pageWidth) / total))
      : flexible <= 0
        ? minimum.map((width) => (width * pageWidth) / sum(minimum))
        : minimum.map((width, at) => width + (((natural[at] ?? 0) - width) * Math.max(0, spare)) / flexible)
  return { columns, widths: scaled.map((width) => Math.floor(width * 100) / 100) }
}
