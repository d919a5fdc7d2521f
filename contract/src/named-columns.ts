import { readDelimited } from './delimited.ts'

export type Row<Column extends string> = Readonly<Record<Column, string>>

/** A kind of table that people paste from a spreadsheet or keep as a CSV. */
export type Table<Column extends string> = {
  /** In their order where no headings are given. */
  readonly columns: readonly Column[]
  /** The first line is one of headings if it names this column. */
  readonly first: Column
  /** What spreadsheets call the columns, in English and German. */
  readonly headings: Readonly<Record<Column, readonly string[]>>
  /** Those with decimals. */
  readonly decimals: readonly Column[]
}

/** A pasted or stored table. `unknown` are headings that name no column: nothing below them is read. */
export const readTable = <Column extends string>(
  { columns, first, headings, decimals }: Table<Column>,
  text: string,
): { readonly rows: readonly Row<Column>[]; readonly unknown: readonly string[] } => {
  const [top = [], ...rest] = cellsOf(text.replace(/^\u{FEFF}/u, ''))
  const named = top.map((heading) =>
    columns.find((column) => [plain(column), ...headings[column]].includes(plain(heading))),
  )
  const hasHead = named.includes(first)
  const place = hasHead ? named : columns
  const rows = (hasHead ? rest : [top, ...rest]).map((cells) => {
    const row: Record<string, string> = emptyRowOf(columns)
    for (const [at, cell] of cells.entries()) {
      const column = place[at]
      if (column !== undefined) row[column] = decimals.includes(column) ? decimalOf(cell) : cell
    }
    return row as Row<Column>
  })
  const unknown = hasHead ? top.filter((heading, at) => heading !== '' && named[at] === undefined) : []
  return { rows: rows.filter((row) => !isEmptyRow(row)), unknown }
}

export const emptyRowOf = <Column extends string>(columns: readonly Column[]): Row<Column> =>
  Object.fromEntries(columns.map((column) => [column, ''])) as Row<Column>

export const isEmptyRow = (row: Readonly<Record<string, string>>): boolean =>
  Object.values(row).every((cell) => cell === '')

/** Members that are undefined would count as unknown ones. */
export const withoutGaps = <Members extends object>(members: Members): Members =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Members

const plain = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/\(.*?\)|\[.*?\]|[.:_]/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()

/** With the comma of many languages, except where it may as well separate thousands: 1,234. */
const decimalOf = (text: string): string =>
  /^-?\d+,\d+$/.test(text) && !/^-?[1-9]\d{0,2},\d{3}$/.test(text) ? text.replace(',', '.') : text

/** Of a spreadsheet, which copies tabs, or of a CSV: with semicolons where commas separate decimals. */
const cellsOf = (text: string): readonly (readonly string[])[] => {
  const [line = ''] = text.split('\n', 1)
  const separator = ['\t', ';'].find((one) => line.includes(one)) ?? ','
  return readDelimited(text, separator)
}
