import { recogniseFamily } from '../families/index.ts'
import { withoutUndefined } from '../model/without-undefined.ts'
import { heatsOf } from './heats.ts'
import { type Certificate } from './read-certificate.ts'
import { at, listAt, shown, textAt } from './shown.ts'
import type { JsonValue } from '@millseal/proof'

/** What a receiver looks for first in the goods: which heats or batches, and how much. */
export type Material = { readonly heats: readonly string[]; readonly quantity?: string }

/** The number and its unit beside it. */
const amount = (value: JsonValue | undefined, number: string, unit: string): string | undefined => {
  const found = textAt(value, number)
  return found === undefined ? undefined : [found, textAt(value, unit)].filter(Boolean).join(' ')
}

const ordered = (transaction: JsonValue | undefined): string | undefined =>
  amount(at(transaction, 'Delivery'), 'Quantity', 'QuantityUnit') ??
  amount(at(transaction, 'Order'), 'Quantity', 'QuantityUnit')

const quantities: Readonly<Record<string, (json: JsonValue) => string | undefined>> = {
  en10168: (json) => {
    const product = at(json, 'Certificate', 'ProductDescription')
    return amount(at(product, 'B13'), 'Value', 'Unit') ?? amount(at(product, 'B12'), 'Value', 'Unit')
  },
  coa: (json) => ordered(at(json, 'Certificate', 'BusinessTransaction')),
  metals: (json) => ordered(at(json, 'DigitalMaterialPassport', 'TransactionData', 'BusinessTransaction')),
  'e-coc': (json) => {
    const [object] = listAt(json, 'EcocData', 'Data', 'ObjectOfDeclaration')
    const [quantity] = listAt(object, 'Quantities')
    return amount(quantity, 'Amount', 'Unit')
  },
  forestry: (json) => {
    const [product] = listAt(json, 'DigitalMaterialPassport', 'Products')
    const measured = at(product, 'Measurements')
    return (
      amount(at(measured, 'Volume'), 'Value', 'Unit') ?? amount(at(measured, 'NetWeight'), 'Value', 'Unit')
    )
  },
}

/** Numbers keep their digits as submitted. The quantity of an unknown family is not known. */
export const materialOf = (certificate: Certificate): Material => {
  const quantity = quantities[recogniseFamily(certificate.json)?.name ?? '']?.(shown(certificate))
  return withoutUndefined({ heats: heatsOf(certificate), quantity })
}
