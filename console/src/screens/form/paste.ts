import { readDelimited } from '@millseal/contract/delimited'
import { tradeNameOf, unitInHeading } from '@millseal/contract/trade-names'
import type { Column } from './columns.ts'
import { readNumber } from './numbers.ts'

/** A pasted table, understood as cells of a table of the form. */
export type Pasted = {
  /** Texts for the cells of a row. `row` is a position, or the text that names the row. */
  readonly cells: readonly { readonly row: number; readonly column: string; readonly text: string }[]
  readonly further: readonly { readonly name: string; readonly column: string; readonly text: string }[]
  readonly newColumns: readonly string[]
  /** Headings that no column has. */
  readonly unknown: readonly string[]
  readonly rowCount: number
}

type Place = {
  readonly columns: readonly Column[]
  /** The texts in the first column, which name the rows. */
  readonly rowNames: readonly string[]
  readonly at: { readonly row: number; readonly column: number }
  /** A heading may become a new column. */
  readonly takesNew: boolean
  readonly further: readonly { readonly name: string; readonly text: string }[]
  /** The columns that somebody chose for headings, by the text of the heading. */
  readonly joined: ReadonlyMap<string, string>
}

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/\(.*?\)|\[.*?\]|[%:.]/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()

const rowWords = /^(?:heat|schmelz|charge|cast|coul|melt|probe|sample|no$|nr$|#)/
const lowest = /^min/
const highest = /^max/

const isHead = (row: readonly string[]): boolean =>
  row.filter((cell) => cell !== '').length > 0 &&
  row.slice(1).every((cell) => readNumber(cell) === undefined) &&
  row.slice(1).some((cell) => cell !== '')

/** Reads a pasted table: by the names in its head, or without a head from the cell where it was pasted. */
export const understand = (pasted: string, place: Place): Pasted => {
  const table = readDelimited(pasted, '\t')
  const [head = [], ...rest] = table
  if (table.length > 1 && isHead(head)) return byHead(head, rest, place)
  const { row, column } = place.at
  return {
    cells: table.flatMap((texts, down) =>
      texts.flatMap((text, right) => {
        const into = place.columns[column + right]
        return into === undefined ? [] : [{ row: row + down, column: into.id, text }]
      }),
    ),
    further: [],
    newColumns: [],
    unknown: [],
    rowCount: row + table.length,
  }
}

const byHead = (head: readonly string[], rest: readonly (readonly string[])[], place: Place): Pasted => {
  const { columns, takesNew, further, joined } = place
  const [first] = columns
  const newColumns: string[] = []
  const unknown: string[] = []
  const ids = head.map((cell, at): string | undefined => {
    const name = plain(cell)
    const known = joined.get(cell) ?? columnNamed(cell, columns)?.id
    if (known !== undefined) return known
    if (first !== undefined && (rowWords.test(name) || (at === 0 && name === ''))) return first.id
    if (name === '') return undefined
    const symbol = cell.replaceAll(/\(.*?\)|\[.*?\]|%/g, '').trim()
    if (takesNew) newColumns.push(symbol)
    else unknown.push(cell)
    return takesNew ? symbol : undefined
  })
  const names = [...place.rowNames]
  const cells: Pasted['cells'][number][] = []
  const limits: Pasted['further'][number][] = head.flatMap((cell, at) =>
    statedIn(
      cell,
      columns.find(({ id }) => id === ids[at]),
      further,
    ),
  )
  const lowestName = further.find(({ name }) => name === 'Minimum')?.name
  const highestName = further.find(({ name }) => name === 'Maximum')?.name
  const nameAt = ids.indexOf(first?.id)
  for (const texts of rest) {
    const rowName = texts[nameAt === -1 ? 0 : nameAt] ?? ''
    const highestOr = highest.test(plain(rowName)) ? highestName : undefined
    const limit = furtherOf(rowName, further) ?? (lowest.test(plain(rowName)) ? lowestName : highestOr)
    const row = limit === undefined ? rowFor(rowName, nameAt === -1 ? undefined : names) : -1
    if (limit === undefined) names[row] = rowName === '' ? `\u0000${row}` : rowName
    for (const [at, text] of texts.entries()) {
      const column = ids[at]
      if (column === undefined || (limit !== undefined && column === first?.id)) continue
      if (limit === undefined) cells.push({ row, column, text })
      else if (text !== '') limits.push({ name: limit, column, text })
    }
  }
  return { cells, further: limits, newColumns, unknown, rowCount: names.length }

  function rowFor(rowName: string, known: readonly string[] | undefined): number {
    if (known === undefined) return names.filter((each) => each.startsWith('\u0000')).length
    const same = known.findIndex((each) => each !== '' && each === rowName)
    if (same !== -1) return same
    const empty = known.findIndex((each) => each === '')
    return empty === -1 ? known.length : empty
  }
}

const columnNamed = (heading: string, columns: readonly Column[]): Column | undefined => {
  const name = plain(heading)
  const own = columns.find(({ id, label }) =>
    [id, label.text, `${label.code ?? ''} ${label.text}`, label.code ?? id].some(
      (each) => plain(each) === name,
    ),
  )
  const value = tradeNameOf(heading)?.value
  if (own !== undefined || value === undefined) return own
  return columns.find(({ label }) => tradeNameOf(label.text)?.value === value)
}

/** The symbol and the unit of a heading such as `ReH (MPa)`, for a column that has places for them. */
const statedIn = (
  heading: string,
  column: Column | undefined,
  further: Place['further'],
): readonly Pasted['further'][number][] => {
  if (column?.entry === undefined || column.isOwn) return []
  return [
    { name: 'Property', text: tradeNameOf(heading)?.symbol },
    { name: 'Unit', text: unitInHeading(heading) },
  ].flatMap(({ name, text }) =>
    text === undefined || !further.some((each) => each.name === name)
      ? []
      : [{ name, column: column.id, text }],
  )
}

const furtherOf = (text: string, further: Place['further']): string | undefined =>
  further.find((each) => plain(each.text) === plain(text) || plain(each.name) === plain(text))?.name
