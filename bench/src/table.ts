import { isMet, type Row } from './row.ts'

const round = (value: number, decimals: number): string =>
  value.toLocaleString('en', { minimumFractionDigits: decimals, maximumFractionDigits: decimals })

const formatValue = ({ value, unit = 'ms' }: Row): string => {
  if (value === undefined) return '—'
  const whole = unit === '/s' || unit === 'MB' || (unit === 'µs' && value >= 10)
  return `${round(value, whole ? 0 : unit === '×' || value < 10 ? 2 : 1)} ${unit}`
}

const formatGoal = (row: Row): string => {
  const { goal, unit } = row
  if (goal === undefined) return ''
  const text = 'atMost' in goal ? `≤ ${goal.atMost} ${unit}` : `≥ ${goal.atLeast} ${unit}`
  return `${text} ${isMet(row) === true ? '✓' : '✗ missed'}`
}

const formatCpu = (microseconds: number | undefined): string => {
  if (microseconds === undefined) return ''
  return microseconds < 1_000 ? `${round(microseconds, 0)} µs` : `${round(microseconds / 1_000, 1)} ms`
}

const columns: readonly { title: string; right?: true; cell: (row: Row) => string }[] = [
  { title: 'what', cell: ({ label }) => label.replaceAll('\n', ' ') },
  { title: 'value', right: true, cell: formatValue },
  { title: 'goal', cell: formatGoal },
  { title: 'CPU each', right: true, cell: ({ cpuPerUnit }) => formatCpu(cpuPerUnit) },
  {
    title: 'verifies',
    right: true,
    cell: ({ normalised }) => (normalised === undefined ? '' : round(normalised, normalised < 10 ? 2 : 0)),
  },
  { title: 'note', cell: ({ note = '' }) => note },
]

/** Markdown, with padded columns so that it also reads in a terminal. */
export const formatTable = (rows: readonly Row[]): string => {
  const name = (row: Row, index: number) =>
    rows[index - 1]?.measurement === row.measurement ? '' : row.measurement
  const lines = [
    ['measurement', ...columns.map(({ title }) => title)],
    ...rows.map((row, index) => [name(row, index), ...columns.map(({ cell }) => cell(row))]),
  ]
  const isRight = (column: number) => columns[column - 1]?.right === true
  const widths = columns
    .concat(columns.slice(0, 1))
    .map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  const pad = (cell: string, column: number) =>
    isRight(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0)
  const [head = '', ...body] = lines.map((line) => `| ${line.map(pad).join(' | ')} |`)
  const rule = widths.map((width, column) => '-'.repeat(width + 1) + (isRight(column) ? ':' : '-'))
  return [head, `|${rule.join('|')}|`, ...body].join('\n')
}
