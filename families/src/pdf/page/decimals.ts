import { type TextStyle, type Typeface, widthOf } from '@millseal/pdf'
import type { Table } from '../../model/document.ts'

const numberPattern = /^(?:[<>≤≥~±]\s?)?[-+−]?\d[\d\s\u202F']*?(?:(?<sign>[.,])(?<decimals>\d+))?$/u
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
    const signs = new Set(tails.flatMap((tail) => (tail?.sign === undefined ? [] : [tail.sign])))
    const [sign] = signs
    if (sign === undefined || signs.size > 1) return unshifted
    const most = Math.max(...tails.map((tail) => tail?.decimals ?? 0))
    const signWidth = widthOf(sign, style, typeface)
    return tails.map((tail) =>
      tail === undefined ? 0 : (most - tail.decimals) * digit + (tail.sign === undefined ? signWidth : 0),
    )
  })
}

type Tail = { readonly sign: string | undefined; readonly decimals: number }

const tailOf = (cell: string): Tail | undefined => {
  if (cell.length > 40) return undefined
  const found = numberPattern.exec(cell)
  if (found === null) return undefined
  return { sign: found.groups?.['sign'], decimals: found.groups?.['decimals']?.length ?? 0 }
}
