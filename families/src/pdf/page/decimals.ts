import type { Table } from '../../model/document.ts'
import type { Measure } from './measure.ts'

const numberPattern = /^(?:[<>≤≥~±]\s?)?[-+−]?\d[\d\s\u202F']*?(?:(?<sign>[.,])(?<decimals>\d+))?$/u

/** The distance of each cell from the right edge of its column, in ems, that lines up the decimal signs. */
export const decimalShifts = (table: Table, measure: Measure): number[][] => {
  const shifts = table.rows.map((row) => row.cells.map(() => 0))
  const digit = measure.text('0', 1)
  for (const [column, { align }] of table.columns.entries()) {
    if (align !== 'end') continue
    const tails = table.rows.map((row) => tailOf(row.cells[column] ?? ''))
    const signs = new Set(tails.flatMap((tail) => (tail?.sign === undefined ? [] : [tail.sign])))
    const [sign] = signs
    if (sign === undefined || signs.size > 1) continue
    const max = Math.max(...tails.map((tail) => tail?.decimals ?? 0))
    for (const [row, tail] of tails.entries()) {
      const own = shifts[row]
      if (tail === undefined || own === undefined) continue
      const missing = (max - tail.decimals) * digit
      own[column] = round(missing + (tail.sign === undefined ? measure.text(sign, 1) : 0))
    }
  }
  return shifts
}

const round = (number: number): number => Math.round(number * 1_000) / 1_000

type Tail = { readonly sign: string | undefined; readonly decimals: number }

const tailOf = (cell: string): Tail | undefined => {
  if (cell.length > 40) return undefined
  const found = numberPattern.exec(cell)
  if (found === null) return undefined
  return { sign: found.groups?.['sign'], decimals: found.groups?.['decimals']?.length ?? 0 }
}
