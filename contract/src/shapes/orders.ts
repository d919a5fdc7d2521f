import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import { checkResults } from '../vocabulary.ts'
import { Id, input, oneOf, output, Timestamp } from './common.ts'

/** With a visible character, and without control characters. */
export const plainText = {
  ...limits.requirement.text,
  pattern: '^[^\\u0000-\\u001f\\u007f]*[^\\s\\u0000-\\u001f\\u007f][^\\u0000-\\u001f\\u007f]*$',
}
const optional = (description: string, examples: readonly string[]) =>
  Type.Optional(Type.String({ ...plainText, description, examples: [...examples] }))

const line = {
  order: Type.String({ ...plainText, description: 'The number of the order', examples: ['PO-4749'] }),
  item: optional('Its item', ['10']),
  grade: optional('Found among the designations that the certificate prints', ['S355J2+N']),
  dimensions: optional('In mm, or with a unit behind the last one', ['20 x 2000 x 6000']),
  quantity: Type.Optional(
    Type.String({
      pattern: String.raw`^\d+(\.\d+)?$`,
      maxLength: limits.requirement.decimalLength,
      description: 'What all accepted certificates of the line may add up to',
      examples: ['40'],
    }),
  ),
  unit: Type.Optional(
    Type.String({ ...limits.requirement.unit, description: 'Of the quantity', examples: ['t', 'pcs'] }),
  ),
  heats: Type.Optional(
    Type.Array(Type.String(plainText), {
      minItems: 1,
      maxItems: limits.orders.heats,
      description: 'The accepted heats',
    }),
  ),
  requirement: optional('The name or the hash of the requirement of the company that applies', [
    'Plate S355',
  ]),
}

export const OrderLine = input('OrderLineDto', line)
export type OrderLine = Static<typeof OrderLine>

export const KeepOrderLines = input('KeepOrderLinesDto', {
  lines: Type.Array(OrderLine, { minItems: 1, maxItems: limits.orders.lines }),
})
export type KeepOrderLines = Static<typeof KeepOrderLines>

export const KeptOrderLine = output('KeptOrderLineDto', {
  id: Id,
  ...line,
  hash: Type.String({ description: 'SHA-256 of the canonical JSON (RFC 8785) of the line, hex' }),
  inUse: Type.Boolean({ description: 'Older lines of the same order and item are found by their hash' }),
  createdAt: Timestamp,
})
export type KeptOrderLine = Static<typeof KeptOrderLine>

export const OrderQuery = Type.Object({
  order: Type.Optional(Type.String({ ...limits.inbox.filter, description: 'Case does not matter' })),
  hash: Type.Optional(
    Type.String({ ...limits.hash, pattern: '^[0-9a-f]{64}$', description: 'One line, also an older one' }),
  ),
})

export const comparedOrder = {
  order: Type.Optional(
    Type.String({ description: 'As the line says it; else as the certificate prints it' }),
  ),
  item: Type.Optional(Type.String()),
  hash: Type.Optional(
    Type.String({
      description: 'Of the order line: `GET /order-lines?hash=`. Absent if none was found to compare with',
    }),
  ),
  verdict: oneOf(checkResults),
}

export const CheckedOrder = output('CheckedOrderDto', comparedOrder, {
  description: 'The order line that the certificate was compared with',
})
export type CheckedOrder = Static<typeof CheckedOrder>
