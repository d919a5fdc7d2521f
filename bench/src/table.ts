export type Unit = '×' | 'ms' | 's' | 'µs' | 'MB' | '/s'
/** One of them at most. */
export type Goal = { readonly atMost?: number; readonly atLeast?: number }

/** One line of the table. Without a value it says why there is none. */
export type Row = {
  readonly measurement: string
  /** What is measured, in plain words. */
  readonly label: string
  readonly value?: number | undefined
  readonly unit?: Unit | undefined
  /** Processor time of one unit, in microseconds. */
  readonly cpuPerUnit?: number | undefined
  /** The same in Ed25519 verifications of this machine at this time. */
  readonly normalised?: number | undefined
  readonly goal?: Goal | undefined
  readonly note?: string | undefined
  readonly failed?: true
}

/** One measurement. */
export type Run = {
  readonly measuredAt: string
  readonly machine: string
  readonly loadAverage: number
  readonly rows: readonly Row[]
}

const round = (value: number, decimals: number): string =>
  value.toLocaleString('en', { minimumFractionDigits: decimals, maximumFractionDigits: decimals })

const decimalsOf = (value: number, unit: string): number => {
  if (unit === '/s' || unit === 'MB' || (unit === 'µs' && value >= 10)) return 0
  return unit === '×' || value < 10 ? 2 : 1
}

const formatValue = ({ value, unit = 'ms' }: Row): string => {
  if (value === undefined) return '—'
  return `${round(value, decimalsOf(value, unit))} ${unit}`
}

const formatGoal = ({ goal, value = Number.NaN, unit }: Row): string => {
  if (goal === undefined) return ''
  const { atMost = Infinity, atLeast = -Infinity } = goal
  const limit = goal.atMost === undefined ? `≥ ${atLeast}` : `≤ ${atMost}`
  return `${limit} ${unit} ${value >= atLeast && value <= atMost ? '✓' : '✗ missed'}`
}

const formatCpu = ({ cpuPerUnit: cpu }: Row): string => {
  if (cpu === undefined) return ''
  return cpu < 1_000 ? `${round(cpu, 0)} µs` : `${round(cpu / 1_000, 1)} ms`
}

const titles = ['measurement', 'what', 'value', 'goal', 'CPU each', 'verifies', 'note']
const isRight = (column: number): boolean => [2, 4, 5].includes(column)

/** Markdown, with padded columns so that it also reads in a terminal. */
const formatTable = (rows: readonly Row[]): string => {
  const cells = rows.map((row, index) => [
    rows[index - 1]?.measurement === row.measurement ? '' : row.measurement,
    row.label.replaceAll('\n', ' '),
    formatValue(row),
    formatGoal(row),
    formatCpu(row),
    row.normalised === undefined ? '' : round(row.normalised, row.normalised < 10 ? 2 : 0),
    row.note ?? '',
  ])
  const lines = [titles, ...cells]
  const widths = titles.map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)))
  const pad = (cell: string, at: number) =>
    isRight(at) ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0)
  const [head = '', ...body] = lines.map((line) => `| ${line.map(pad).join(' | ')} |`)
  const rule = widths.map((width, at) => '-'.repeat(width + 1) + (isRight(at) ? ':' : '-'))
  return [head, `|${rule.join('|')}|`, ...body].join('\n')
}

/** A line about machine, days and load, and the table. If the load exceeds the cores, compare normalised values only. */
export const formatRuns = (runs: readonly Run[]): string => {
  const days = runs.map(({ measuredAt }) => measuredAt.slice(0, 10)).toSorted()
  const loads = runs.map(({ loadAverage }) => loadAverage)
  const load = `load average ${Math.min(...loads).toFixed(1)} to ${Math.max(...loads).toFixed(1)}`
  const when = days[0] === days.at(-1) ? days[0] : `${days[0]} to ${days.at(-1)}`
  return `${runs.at(-1)?.machine}, ${when}, ${load}\n\n${formatTable(runs.flatMap(({ rows }) => rows))}`
}
