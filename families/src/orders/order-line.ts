import type { OrderLine } from '@millseal/contract'
import { because, type Reason } from '@millseal/contract/reasons'
import { canonicalJson, type JsonValue, plainLine } from '@millseal/proof'
import { hashCanonical } from '../certificate/hash-certificate.ts'
import { readDecimal } from '../facts/decimal.ts'
import { isQuantityUnit } from './amounts.ts'
import { readSizes } from './check-sizes.ts'

/** SHA-256 of the canonical form (RFC 8785), hex. */
export const hashOrderLine = (line: OrderLine): string =>
  hashCanonical(canonicalJson(JSON.parse(JSON.stringify(line)) as JsonValue))

/** `PO-4749 · 10`. */
export const nameOfLine = ({
  order,
  item,
}: {
  readonly order: string
  readonly item?: string | undefined
}) => (item === undefined ? order : `${order} · ${item}`)

/** Case and spaces do not matter. */
export const orderKey = (order: string | undefined): string =>
  plainLine(order ?? '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase()

/** Systems print the same item as 10, 010 and 00010. */
export const itemKey = (item: string | undefined): string => orderKey(item).replace(/^0+(?=\d)/, '')

/** What a line cannot say, each with the member it is about. */
export const faultsOfLine = ({
  dimensions,
  quantity,
  unit,
}: OrderLine): readonly { readonly member: string; readonly reason: Reason }[] => [
  ...(dimensions !== undefined && readSizes(dimensions) === undefined
    ? [{ member: 'dimensions', reason: because('order_dimensions_form') }]
    : []),
  ...((quantity === undefined) === (unit === undefined)
    ? []
    : [
        {
          member: quantity === undefined ? 'quantity' : 'unit',
          reason: because('order_quantity_needs_unit'),
        },
      ]),
  ...(quantity !== undefined && readDecimal(quantity) === undefined
    ? [{ member: 'quantity', reason: because('requirement_number_form') }]
    : []),
  ...(unit === undefined || isQuantityUnit(unit)
    ? []
    : [{ member: 'unit', reason: because('order_unit', { name: unit }) }]),
]
