import { type TextStyle, type Typeface, widthOf } from '@millseal/pdf'
import type { Table } from '../../model/document.ts'

const numberPattern = /^(?:[<>≤≥~±]\s?)?[-+−]?\d[\d\s\u202F']*?(?:[.,]\d+)?$/u
const unshifted: readonly number[] = []

/** The distance of each cell from the right edge of its column that lines up the decimal signs, by column and row. */
export const decimalShifts = (
  table: Table,
  { typeface, style }: { readonly typeface: Typeface; readonly style: TextStyle },
): readonly (readonly number[])[] => {
  const digit = widthOf('0', style, typeface)
  return table.columns.map(({ align }, column) => {
    if (align !== 'end') return unshifted
    const tails = table.rows.map((row) => tailOf(row.cells[column] ?? ''))
    const sign = tails.find((tail) => tail?.sign !== undefined)?.sign
    if (sign === undefined || tails.some((tail) => tail?.sign !== undefined && tail.sign !== sign))
      return unshifted
    const most = Math.max(...tails.map((tail) => tail?.decimals ?? 0))
    const signWidth = widthOf(sign, style, typeface)
    return tails.map((tail) =>
      tail === undefined ? 0 : (most - tail.decimals) * digit + (tail.sign === undefined ? signWidth : 0),
    )
  })
}

type Tail = { readonly sign: string | undefined; readonly decimals: number }
const whole: Tail = { sign: undefined, decimals: 0 }

const tailOf = (cell: string): Tail | undefined => {
  if (cell.length > 40) return undefined
  if (!numberPattern.test(cell)) return undefined
  const at = Math.max(cell.lastIndexOf('.'), cell.lastIndexOf(','))
  return at < 0 ? whole : { sign: cell[at], decimals: cell.length - at - 1 }
}
