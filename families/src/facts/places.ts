import type { JsonValue } from '@millseal/proof'
import { isObject } from '../certificate/read-certificate.ts'
import { at, textAt } from '../certificate/shown.ts'
import { escapePointer } from '../registry/sub-schemas.ts'
import type { Fact, Limit } from './fact.ts'

/** A value and its JSON pointer. */
export type Place = { readonly value: JsonValue | undefined; readonly pointer: string }

export const placeAt = ({ value, pointer }: Place, ...names: readonly string[]): Place => ({
  value: at(value, ...names),
  pointer: [pointer, ...names.map(escapePointer)].join('/'),
})

/** The elements of an array; a single value counts as an array of one, at its own pointer. */
export const eachAt = (place: Place, ...names: readonly string[]): readonly Place[] => {
  const found = placeAt(place, ...names)
  if (!Array.isArray(found.value)) return found.value === undefined || found.value === null ? [] : [found]
  return found.value.map((value, index) => ({ value, pointer: `${found.pointer}/${index}` }))
}

export const membersAt = ({ value, pointer }: Place): readonly Place[] =>
  isObject(value)
    ? Object.entries(value).map(([name, member]) => ({
        value: member,
        pointer: `${pointer}/${escapePointer(name)}`,
      }))
    : []

/** A fact of plain text, such as a date; none if it is blank. */
export const textFact = (
  place: Place,
  fact: Omit<Fact, 'value' | 'pointer'>,
  ...names: readonly string[]
): readonly Fact[] =>
  eachAt(place, ...names).flatMap(({ value, pointer }) => {
    const text = textAt(value)
    return text === undefined ? [] : [{ ...fact, value: text, pointer }]
  })

/** `0.005`, `<0.005` or `{Value, Operator}`. */
export const resultAt = (place: Place) => {
  const inner = isObject(place.value) ? placeAt(place, 'Value') : place
  const text = textAt(inner.value)
  if (text === undefined) return undefined
  const [, sign, value = text] = /^(<=|>=|[<>=≤≥])\s*(.+)$/.exec(text) ?? []
  const operator = textAt(place.value, 'Operator') ?? sign?.replace('≤', '<=').replace('≥', '>=')
  return { value, operator, pointer: inner.pointer }
}

export const limitsAt = (
  place: Place,
  names: { readonly min: string; readonly max: string } = { min: 'Minimum', max: 'Maximum' },
): Fact['limits'] => {
  const [min, max] = [limitAt(placeAt(place, names.min)), limitAt(placeAt(place, names.max))]
  return min === undefined && max === undefined ? undefined : { min, max }
}

const limitAt = (place: Place): Limit | undefined => {
  const found = resultAt(place)
  return found === undefined ? undefined : { value: found.value, operator: found.operator }
}

/** A fact of a result; none if there is no result. */
export const resultFact = (
  place: Place,
  fact: Omit<Fact, 'value' | 'operator' | 'pointer'>,
): readonly Fact[] => {
  const found = resultAt(place)
  return found === undefined ? [] : [{ ...fact, ...found }]
}

/** The order of CoA and Metals, and how much of it was delivered. */
export const transactionFacts = (transaction: Place): readonly Fact[] => {
  const [order, delivery] = [placeAt(transaction, 'Order'), placeAt(transaction, 'Delivery')]
  const name = textAt(order.value, 'Number') === undefined ? 'Id' : 'Number'
  return [
    ...textFact(order, { of: 'order' }, name),
    ...textFact(order, { of: 'order item' }, 'Position'),
    ...resultFact(placeAt(delivery, 'Quantity'), {
      of: 'delivered',
      unit: textAt(delivery.value, 'QuantityUnit'),
    }),
  ]
}
