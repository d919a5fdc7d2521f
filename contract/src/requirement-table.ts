import { readDelimited } from './delimited.ts'
import type { RequirementRule } from './shapes/requirements.ts'

/** The columns of a table of rules, as the first line of a CSV names them. */
export const requirementColumns = [
  'of',
  'min',
  'max',
  'unit',
  'thickness_above',
  'thickness_up_to',
  'at',
] as const
export type RequirementColumn = (typeof requirementColumns)[number]
export type RequirementRow = Readonly<Record<RequirementColumn, string>>

export const emptyRow: RequirementRow = {
  of: '',
  min: '',
  max: '',
  unit: '',
  thickness_above: '',
  thickness_up_to: '',
  at: '',
}

export const isEmptyRow = (row: RequirementRow): boolean => Object.values(row).every((cell) => cell === '')

/** What spreadsheets call the columns, in English and German. */
const headings: Readonly<Record<RequirementColumn, readonly string[]>> = {
  of: ['property', 'element', 'symbol', 'name', 'eigenschaft', 'merkmal', 'kennwert'],
  min: ['minimum', 'lower limit', 'mindestwert', 'mindestens', 'untergrenze'],
  max: ['maximum', 'upper limit', 'höchstwert', 'höchstens', 'obergrenze'],
  unit: ['einheit', 'units'],
  thickness_above: ['thickness over', 'dicke über', 'dicke größer'],
  thickness_up_to: ['thickness to', 'dicke bis'],
  at: ['temperature', 'condition', 'bei', 'temperatur', 'prüftemperatur'],
}

const plain = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/\(.*?\)|\[.*?\]|[.:_]/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()

const columnNamed = (heading: string): RequirementColumn | undefined =>
  requirementColumns.find((column) => [plain(column), ...headings[column]].includes(plain(heading)))

/** Those with numbers. */
export const limitColumns: readonly RequirementColumn[] = ['min', 'max', 'thickness_above', 'thickness_up_to']

/** With the comma of many languages, except where it may as well separate thousands: 1,234. */
const limitOf = (text: string): string =>
  /^-?\d+,\d+$/.test(text) && !/^-?[1-9]\d{0,2},\d{3}$/.test(text) ? text.replace(',', '.') : text

/** A pasted or stored table of rules. `unknown` are headings that name no column: nothing below them is read. */
export const readRequirementTable = (
  text: string,
): { readonly rows: readonly RequirementRow[]; readonly unknown: readonly string[] } => {
  const [first = [], ...rest] = cellsOf(text.replace(/^\u{FEFF}/u, ''))
  const columns = first.map(columnNamed)
  const hasHead = columns.includes('of')
  const place = hasHead ? columns : requirementColumns
  const rows = (hasHead ? rest : [first, ...rest]).map((cells) => rowOf(cells, place))
  const unknown = hasHead ? first.filter((heading, at) => heading !== '' && columns[at] === undefined) : []
  return { rows: rows.filter((row) => !isEmptyRow(row)), unknown }
}

/** Of a spreadsheet, which copies tabs, or of a CSV: with semicolons where commas separate decimals. */
const cellsOf = (text: string): readonly (readonly string[])[] => {
  const [line = ''] = text.split('\n', 1)
  const separator = ['\t', ';'].find((one) => line.includes(one)) ?? ','
  return readDelimited(text, separator)
}

const rowOf = (
  cells: readonly string[],
  place: readonly (RequirementColumn | undefined)[],
): RequirementRow => {
  const row: Record<RequirementColumn, string> = { ...emptyRow }
  for (const [at, cell] of cells.entries()) {
    const column = place[at]
    if (column !== undefined) row[column] = limitColumns.includes(column) ? limitOf(cell) : cell
  }
  return row
}

export const ruleOfRow = (row: RequirementRow): RequirementRule => {
  const given = (column: RequirementColumn): string | undefined => {
    const text = row[column].trim()
    return text === '' ? undefined : text
  }
  const thickness = withoutGaps({ above: given('thickness_above'), upTo: given('thickness_up_to') })
  return withoutGaps({
    of: row.of.trim(),
    min: given('min'),
    max: given('max'),
    unit: given('unit'),
    at: given('at'),
    when: Object.keys(thickness).length === 0 ? undefined : { thickness },
  })
}

/** Members that are undefined would count as unknown ones. */
const withoutGaps = <Members extends object>(members: Members): Members =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Members

/** Undefined if the rule says more than a line of the table can. */
export const rowOfRule = (rule: RequirementRule): RequirementRow | undefined => {
  const { of, min = '', max = '', unit = '', at = '', when = {}, ...more } = rule
  const { thickness = {}, ...others } = when
  if (of === undefined || Object.keys(more).length > 0 || Object.keys(others).length > 0) return undefined
  const { above = '', upTo = '' } = thickness
  return { of, min, max, unit, at, thickness_above: above, thickness_up_to: upTo }
}
