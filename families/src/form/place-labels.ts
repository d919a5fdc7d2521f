import { createLabeler, type Labels, readLabels } from '../labels/labels.ts'
import translations from './form-labels.json' with { type: 'json' }

/** The texts of places that paper shows without a label, or in other words. */
const formLabels: Labels = readLabels(translations)

/** The label of paper for places whose last name means something else elsewhere. */
const onPaper: Readonly<Record<string, string>> = {
  'Order/Id': 'OrderId',
  'Order/Number': 'OrderId',
  'Order/Position': 'OrderPosition',
  'Order/Date': 'OrderDate',
  'Order/Quantity': 'OrderQuantity',
  'PurchaseOrder/Id': 'OrderId',
  'SalesOrder/Id': 'OrderId',
  'Delivery/Id': 'DeliveryId',
  'Delivery/Number': 'DeliveryId',
  'Delivery/Position': 'DeliveryPosition',
  'Delivery/Date': 'DeliveryDate',
  'Delivery/Quantity': 'DeliveryQuantity',
  'Product/Id': 'ProductId',
  'Product/Name': 'ProductName',
  'properties/Name': 'PlotName',
  'OtherMechanicalTests/Key': 'Test',
  'NonDestructiveTests/Key': 'Test',
  'OtherProductTests/Key': 'Test',
  'Z04/NotifiedBodyNumber': 'Z04.NotifiedBody',
  'Z04/DoCYear': 'Z04.DoCYear',
  'Z04/DoCNumber': 'Z04.DoCNumber',
}

/** A place by its last two names: `Order/Id`. An element of a list, and a name that a pattern allows, has none. */
export const placeOf = (names: readonly string[]): string =>
  ['', ...names.filter((name) => name !== '*')].slice(-2).join('/')

/** The label of a place: that of the paper, or one of the form, or the title in the schema, or the name in words. */
export const createPlaceLabeler = ({
  language,
  sources,
  places,
}: {
  readonly language: string
  readonly sources: readonly Labels[]
  /** All places of the schema. */
  readonly places: ReadonlyMap<string, string | undefined>
}) => {
  const paper = createLabeler([language], sources)
  const form = createLabeler([language], [formLabels])
  return (place: string): string => {
    const name = place.slice(place.indexOf('/') + 1)
    const number = place.replace(/\/Id$/, '/Number')
    // Where paper has the number, the id is something else.
    const isBesideNumber = number !== place && places.has(number) && onPaper[number] !== undefined
    const shown = isBesideNumber ? undefined : onPaper[place]
    if (shown !== undefined && paper.hasLabel(shown)) return paper.label(shown).join()
    if (form.hasLabel(place)) return form.label(place).join()
    if (paper.hasLabel(name)) return paper.label(name).join()
    return form.label(name, form.hasLabel(name) ? undefined : places.get(place)).join()
  }
}
