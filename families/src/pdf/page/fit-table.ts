import { isAtomic, type Typeface, widestPart, widthOf } from '@millseal/pdf'
import type { Table } from '../../model/document.ts'
import { columnsWidth } from './columns.ts'
import { decimalShifts } from './decimals.ts'
import { strong, style } from './look.ts'

/** Columns that are beside each other, each with its width, and how their text is set. */
export type FittedTable = {
  /** More than one if the columns do not fit beside each other; each has the first column. */
  readonly parts: readonly TablePart[]
  readonly size: number
  /** The space left and right of the text of a cell. */
  readonly inset: number
  /** The distance of each cell from the right edge, by column and row. */
  readonly shifts: readonly (readonly number[])[]
}

export type TablePart = { readonly columns: readonly number[]; readonly widths: readonly number[] }

export const labelSize = 7

/** From the preferred setting to the narrowest one that can still be read. */
const settings = [
  { padding: 8, size: 7.6 },
  { padding: 5, size: 7.6 },
  { padding: 5, size: 7.3 },
  { padding: 4, size: 7 },
] as const

/** The widest word of a label that a column is made wider for. */
const widestLabel = 90
/** A text that is not a number is broken inside a word if it needs more. */
const widestWord = 120
/** Sums of widths are rounded. */
const slack = 0.06

type Width = { readonly natural: number; readonly minimum: number }

/** The setting with the fewest parts: small letters only where they save one. */
export const fitTable = (table: Table, typeface: Typeface, width: number): FittedTable => {
  // Widths grow with the size, so everything is measured once.
  const shifts = decimalShifts(table, { typeface, style: style(1) })
  const measured = table.columns.map((_, column) => measureColumn(table, { column, shifts, typeface }))
  let best: (Split & { padding: number; size: number }) | undefined
  for (const { padding, size } of settings) {
    const widths = measured.map((column) => padded(widthOfColumn(column, size), padding, width))
    const split = splitIntoParts(widths, width)
    if (best === undefined || split.parts.length < best.parts.length) best = { ...split, padding, size }
    if (split.parts.length === 1) break
  }
  const { parts, widths, padding, size } = best ?? { parts: [], widths: [], padding: 4, size: 7 }
  return {
    parts: parts.map((columns) => fit(columns, widths, width)),
    size,
    inset: padding / 2,
    shifts: shifts.map((column) => column.map((shift) => shift * size)),
  }
}

const padded = ({ natural, minimum }: Width, padding: number, pageWidth: number): Width => {
  const within = (width: number) => Math.min(Math.max(width + slack, 10) + padding, pageWidth)
  return { natural: within(Math.max(natural, minimum)), minimum: within(minimum) }
}

type Cells = {
  readonly column: number
  readonly shifts: FittedTable['shifts']
  readonly typeface: Typeface
}

/** Of text of size 1, but for the labels, which always have the same size. */
type MeasuredColumn = {
  readonly labelWord: number
  readonly wholeLabel: number
  /** The widest of the cells that are never broken. */
  readonly atomic: number
  readonly others: readonly { readonly natural: number; readonly word: number; readonly shift: number }[]
}

const measureColumn = (table: Table, { column, shifts, typeface }: Cells): MeasuredColumn => {
  const { label = [], unit = '', code = '' } = table.columns[column] ?? {}
  const labels = [...label, unit, code]
  let atomic = 0
  const others: { natural: number; word: number; shift: number }[] = []
  for (let row = 0; row < table.rows.length; row += 1) {
    const { cells, emphasis } = table.rows[row] ?? { cells: [] }
    const cell = cells[column] ?? ''
    if (cell === '') continue
    const cellStyle = emphasis === 'result' ? strongCell : plainCell
    const shift = shifts[column]?.[row] ?? 0
    if (isAtomic(cell)) atomic = Math.max(atomic, widthOf(cell, cellStyle, typeface) + shift)
    else {
      const natural = Math.max(...cell.split('\n').map((line) => widthOf(line, cellStyle, typeface)))
      others.push({ natural, word: widestPart(cell, { typeface, ...cellStyle }), shift })
    }
  }
  let [labelWord, wholeLabel] = [0, 0]
  for (const text of labels) {
    labelWord = Math.max(labelWord, widestPart(text, { typeface, ...labelStyle }))
    wholeLabel = Math.max(wholeLabel, widthOf(text, labelStyle, typeface))
  }
  return { labelWord, wholeLabel, atomic, others }
}

const labelStyle = strong(labelSize)
const [plainCell, strongCell] = [style(1), strong(1)]

const widthOfColumn = ({ labelWord, wholeLabel, atomic, others }: MeasuredColumn, size: number): Width => {
  const word = Math.min(labelWord, widestLabel)
  let minimum = Math.max(word, atomic * size)
  let natural = Math.max(word, Math.min(wholeLabel, 60), atomic * size)
  for (const { natural: whole, word: part, shift } of others) {
    minimum = Math.max(minimum, Math.min(part * size, widestWord) + shift * size)
    natural = Math.max(natural, (whole + shift) * size)
  }
  return { natural, minimum }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)

/** The columns of each part, and how wide they may be. */
type Split = { readonly parts: readonly (readonly number[])[]; readonly widths: readonly Width[] }

/** One part if the minimum widths fit the page, else as few as possible, of about the same number of columns. */
const splitIntoParts = (widths: readonly Width[], pageWidth: number): Split => {
  const all = widths.map((_, index) => index)
  if (widths.reduce((total, { minimum }) => total + minimum, 0) <= pageWidth) return { parts: [all], widths }
  // The first column names the row: it keeps its width in each part.
  const first = Math.min(widths[0]?.natural ?? 0, Math.max(widths[0]?.minimum ?? 0, pageWidth / 4))
  const available = pageWidth - first
  const needed = widths.map(({ minimum }) => Math.min(minimum, available))
  const groups = balanced(all.slice(1), needed, available)
  const narrowed = widths.map((width, index) => (index === 0 ? { natural: first, minimum: first } : width))
  return { parts: groups.map((group) => [0, ...group]), widths: narrowed }
}

/** Groups of about the same length, in order, none wider than the page. */
const balanced = (columns: readonly number[], needed: readonly number[], available: number): number[][] => {
  const fewest = grouped(columns, needed, { available, most: columns.length }).length
  for (let most = Math.ceil(columns.length / fewest); most < columns.length; most += 1) {
    const groups = grouped(columns, needed, { available, most })
    if (groups.length === fewest) return groups
  }
  return grouped(columns, needed, { available, most: columns.length })
}

const grouped = (
  columns: readonly number[],
  needed: readonly number[],
  { available, most }: { readonly available: number; readonly most: number },
): number[][] => {
  const groups: number[][] = []
  let used = 0
  for (const column of columns) {
    const width = needed[column] ?? 0
    const last = groups.at(-1)
    if (last === undefined || used + width > available || last.length >= most) {
      groups.push([column])
      used = width
    } else {
      last.push(column)
      used += width
    }
  }
  return groups
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
  const [total, least] = [sum(natural), sum(minimum)]
  if (total <= pageWidth)
    return { columns, widths: natural.map((width) => width * (stretched(total, pageWidth) / total)) }
  const flexible = total - least
  const spare = Math.max(0, pageWidth - least)
  return {
    columns,
    widths:
      flexible <= 0
        ? minimum.map((width) => (width * pageWidth) / least)
        : minimum.map((width, at) => width + (((natural[at] ?? 0) - width) * spare) / flexible),
  }
}
