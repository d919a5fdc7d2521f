import { emptyRowOf, readTable, type Row, type Table, withoutGaps } from './named-columns.ts'
import type { OrderLine } from './shapes/orders.ts'

/** The columns of a table of order lines, as the first line of a CSV names them. */
export const orderColumns = [
  'order',
  'item',
  'grade',
  'dimensions',
  'quantity',
  'unit',
  'heats',
  'requirement',
] as const
export type OrderColumn = (typeof orderColumns)[number]
export type OrderRow = Row<OrderColumn>

export const emptyOrderRow: OrderRow = emptyRowOf(orderColumns)

const orders: Table<OrderColumn> = {
  columns: orderColumns,
  first: 'order',
  decimals: ['quantity'],
  headings: {
    order: ['order number', 'order no', 'purchase order', 'po', 'bestellung', 'bestellnummer', 'auftrag'],
    item: ['order item', 'position', 'pos', 'line', 'bestellposition'],
    grade: ['material', 'steel grade', 'werkstoff', 'güte', 'stahlsorte'],
    dimensions: ['dimension', 'size', 'abmessung', 'abmessungen', 'maße'],
    quantity: ['qty', 'amount', 'menge', 'bestellmenge'],
    unit: ['units', 'einheit', 'me', 'uom'],
    heats: ['heat', 'schmelze', 'schmelzen'],
    requirement: ['anforderung'],
  },
}

export const readOrderTable = (text: string) => readTable(orders, text)

/** Heats are separated by commas or semicolons. */
export const orderLineOfRow = (row: OrderRow): OrderLine => {
  const given = (column: OrderColumn): string | undefined => row[column].trim() || undefined
  const heats = row.heats
    .split(/[,;]/)
    .map((heat) => heat.trim())
    .filter((heat) => heat !== '')
  return withoutGaps({
    order: row.order.trim(),
    item: given('item'),
    grade: given('grade'),
    dimensions: given('dimensions'),
    quantity: given('quantity'),
    unit: given('unit'),
    heats: heats.length === 0 ? undefined : heats,
    requirement: given('requirement'),
  })
}
