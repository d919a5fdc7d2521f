import type { JsonValue } from '@millseal/proof'
import { at, textAt } from './shown.ts'

/** A number and the unit beside it. */
export const amountAt = (
  value: JsonValue | undefined,
  { number, unit }: { readonly number: string; readonly unit: string },
): string | undefined => {
  const found = textAt(value, number)
  return found === undefined ? undefined : [found, textAt(value, unit)].filter(Boolean).join(' ')
}

/** What was delivered, or else ordered, in a transaction of CoA and Metals. */
export const quantityOf = (transaction: JsonValue | undefined): string | undefined => {
  const names = { number: 'Quantity', unit: 'QuantityUnit' }
  return amountAt(at(transaction, 'Delivery'), names) ?? amountAt(at(transaction, 'Order'), names)
}
