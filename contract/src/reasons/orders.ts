import type { Entries } from './entries.ts'

/** What a certificate says of its order, and what an order line cannot say. */
export const orders = {
  order_limit: {
    en: 'A company can have {most} order lines',
    de: 'Eine Firma kann {most} Bestellpositionen haben',
  },
  order_item_needs_order: { en: 'needs order', de: 'braucht order' },
  order_line_twice: {
    en: '{name} is in the list twice',
    de: '{name} steht zweimal in der Liste',
  },
  order_dimensions_form: {
    en: 'must be sizes with an x between them: 20 x 2000 x 6000',
    de: 'müssen Maße mit einem x dazwischen sein: 20 x 2000 x 6000',
  },
  order_unit: {
    en: '{name} is not a unit of quantities: pcs, kg, t, lb, m',
    de: '{name} ist keine Einheit für Mengen: Stk, kg, t, lb, m',
  },
  order_quantity_needs_unit: {
    en: 'quantity and unit go together',
    de: 'quantity und unit gehören zusammen',
  },
  order_unknown: {
    en: 'order {name} is not among the order lines of the company',
    de: 'Bestellung {name} ist keine der Bestellpositionen der Firma',
  },
  order_item_unknown: {
    en: 'order {name} has no item {item} among the order lines of the company',
    de: 'Bestellung {name} hat unter den Bestellpositionen der Firma keine Position {item}',
  },
  order_item_unclear: {
    en: 'order {name} has several items, and the certificate does not say which',
    de: 'Bestellung {name} hat mehrere Positionen, und das Zeugnis sagt nicht, welche',
  },
  order_exceeded: {
    en: '{value} is above the ordered {limit}',
    de: '{value} liegt über den bestellten {limit}',
  },
  order_exceeded_together: {
    en: '{value}, with {accepted} that was accepted before, is above the ordered {limit}',
    de: '{value} liegt zusammen mit schon angenommenen {accepted} über den bestellten {limit}',
  },
  order_accepted_unknown: {
    en: 'a certificate that was accepted before does not say how much in {unit}',
    de: 'ein schon angenommenes Zeugnis sagt nicht, wie viel es in {unit} ist',
  },
  order_quantity_unknown: {
    en: 'quantity {value} cannot be compared in {unit}',
    de: 'Menge {value} lässt sich nicht in {unit} vergleichen',
  },
  order_sizes_unclear: {
    en: 'dimensions {value} do not say whether they are {limit}',
    de: 'Maße {value} sagen nicht, ob sie {limit} sind',
  },
  property_order_item: { en: 'order item', de: 'Position der Bestellung' },
  property_grade: { en: 'grade', de: 'Werkstoff' },
  property_dimensions: { en: 'dimensions', de: 'Maße' },
  property_quantity: { en: 'quantity', de: 'Menge' },
} as const satisfies Entries
