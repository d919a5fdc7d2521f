import { isMet, type Row } from './row.ts'

const decimalsOf = ({ value, unit }: Row): number => {
  if (unit === '×') return 2
  if (unit === '/s' || unit === 'MB' || unit === 'µs') return 0
  return value < 10 ? 2 : 1
}

const formatValue = (row: Row): string =>
  `${row.value.toLocaleString('en', { minimumFractionDigits: decimalsOf(row), maximumFractionDigits: decimalsOf(row) })} ${row.unit}`

const formatGoal = (row: Row): string => {
  const { goal, unit } = row
  if (goal === undefined) return ''
  const text = 'atMost' in goal ? `≤ ${goal.atMost} ${unit}` : `≥ ${goal.atLeast} ${unit}`
  return `${text} ${isMet(row) === true ? '✓' : '✗ missed'}`
}

/** Markdown, its columns padded so that it also reads in a terminal. */
export const formatTable = (
  groups: readonly { readonly name: string; readonly rows: readonly Row[] }[],
): string => {
  const cells = groups.flatMap(({ name, rows }) =>
    rows.map((row, index) => [
      index === 0 ? name : '',
      row.what,
      formatValue(row),
      formatGoal(row),
      row.note ?? '',
    ]),
  )
  const table = [['measurement', 'what', 'value', 'goal', 'note'], ...cells]
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...table.map((line) => line[column]?.length ?? 0)))
  const lines = table.map(
    (line) => `| ${line.map((cell, column) => pad(cell, column, widths)).join(' | ')} |`,
  )
  const rule = `|${widths.map((width, column) => (column === 2 ? `${'-'.repeat(width + 1)}:` : '-'.repeat(width + 2))).join('|')}|`
  return [lines[0], rule, ...lines.slice(1)].join('\n')
}

const pad = (cell: string, column: number, widths: readonly number[]): string => {
  const width = widths[column] ?? 0
  return column === 2 ? cell.padStart(width) : cell.padEnd(width)
}
