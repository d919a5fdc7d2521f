import type { Table } from '../model/document.ts'

/** About the number of characters that fit on a printed line. */
const lineWidth = 112
const padding = 1.5
const minColumns = 13

/** Splits a table that is too wide for paper; each part has all rows and begins with the first column. */
export const splitTable = (table: Table): readonly Table[] => {
  if (table.columns.length < minColumns) return [table]
  const widths = table.columns.map((_, index) => widthOf(table, index))
  const total = widths.reduce((sum, width) => sum + width, 0)
  const isNarrowEach = widths.every((width) => width < lineWidth / 3)
  if (total <= lineWidth || !isNarrowEach) return [table]
  return groupsOf(widths).map((indexes, group) =>
    pick(table, { indexes: [0, ...indexes], isFirst: group === 0 }),
  )
}

const widthOf = (table: Table, index: number): number => {
  const column = table.columns[index]
  const words = (column?.label ?? []).flatMap((text) => text.split(/[\s-]+/))
  const cells = table.rows.map((row) => Math.min((row.cells[index] ?? '').length, 24))
  return padding + Math.max(3, column?.unit?.length ?? 0, ...words.map((word) => word.length), ...cells)
}

/** Distributes the columns after the first evenly over as few parts as possible. */
const groupsOf = (widths: readonly number[]): readonly (readonly number[])[] => {
  const [first = 0, ...rest] = widths
  const available = Math.max(lineWidth - first, lineWidth / 2)
  const lines = Math.ceil(rest.reduce((sum, width) => sum + width, 0) / available)
  const perLine = Math.ceil(rest.length / lines)
  return Array.from({ length: Math.ceil(rest.length / perLine) }, (_, line) =>
    rest.map((_width, index) => index + 1).slice(line * perLine, (line + 1) * perLine),
  )
}

const pick = (
  table: Table,
  { indexes, isFirst }: { indexes: readonly number[]; isFirst: boolean },
): Table => ({
  caption: isFirst ? table.caption : undefined,
  columns: indexes.flatMap((index) => table.columns[index] ?? []),
  rows: table.rows
    .map((row) => ({ ...row, cells: indexes.map((index) => row.cells[index] ?? '') }))
    .filter(
      ({ cells, emphasis }) => emphasis !== 'requirement' || cells.slice(1).some((cell) => cell !== ''),
    ),
})
