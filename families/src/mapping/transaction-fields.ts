import type { JsonValue } from '@millseal/proof'
import { at, textAt, textsAt } from '../certificate/shown.ts'
import type { Field } from '../model/document.ts'
import { field, joinText } from './blocks.ts'
import type { Mapping } from './mapping.ts'

/** Order and delivery in CoA and Metals, which have the same format. */
export const orderFields = (mapping: Mapping, transaction: JsonValue | undefined): readonly Field[] => {
  const order = at(transaction, 'Order')
  const confirmation = at(transaction, 'OrderConfirmation')
  const number = joinText(
    [textAt(confirmation, 'Number') ?? textAt(confirmation, 'Id'), textAt(confirmation, 'Date')],
    ', ',
  )
  return [
    ...reference(mapping, { value: order, name: 'Order' }),
    ...named(mapping, order, [
      'CustomerProductId',
      'CustomerProductName',
      'GoodsReceiptId',
      'InternalOrderNumber',
      'InternalOrderPosition',
    ]),
    ...field(mapping.label('OrderConfirmation'), number),
  ]
}

export const deliveryFields = (mapping: Mapping, transaction: JsonValue | undefined): readonly Field[] => {
  const delivery = at(transaction, 'Delivery')
  return [
    ...reference(mapping, { value: delivery, name: 'Delivery' }),
    ...named(mapping, delivery, [
      'InternalOrderId',
      'InternalOrderPosition',
      'Transport',
      'GoodsReceiptNumber',
    ]),
  ]
}

const reference = (
  mapping: Mapping,
  { value, name }: { value: JsonValue | undefined; name: string },
): readonly Field[] => [
  ...field(mapping.label(`${name}Id`), textAt(value, 'Number') ?? textAt(value, 'Id')),
  ...field(mapping.label(`${name}Position`), textAt(value, 'Position')),
  ...field(mapping.label(`${name}Date`), textAt(value, 'Date')),
  ...field(mapping.label(`${name}Quantity`), textAt(value, 'Quantity'), {
    unit: textAt(value, 'QuantityUnit'),
  }),
]

/** The fields with these names, each with its label. */
export const named = (
  mapping: Mapping,
  value: JsonValue | undefined,
  names: readonly string[],
): readonly Field[] =>
  names.flatMap((name) => field(mapping.label(name), joinText(textsAt(value, name), ', ')))
