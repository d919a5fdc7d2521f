import { recogniseFamily } from '../families/index.ts'
import { withoutUndefined } from '../model/without-undefined.ts'
import { type Certificate } from './read-certificate.ts'
import { at, listAt, shown, textAt, textsAt } from './shown.ts'
import type { JsonValue } from '@millseal/proof'

/** What a receiver looks for first in the goods: which heats or batches, and how much. */
export type Material = { readonly heats: readonly string[]; readonly quantity?: string }

type Path = readonly [string, ...string[]]
type Place = { readonly heats: readonly Path[]; readonly quantity: (json: JsonValue) => string | undefined }

/** The number and its unit beside it. */
const amount = (value: JsonValue | undefined, number: string, unit: string): string | undefined => {
  const found = textAt(value, number)
  return found === undefined ? undefined : [found, textAt(value, unit)].filter(Boolean).join(' ')
}

const ordered = (transaction: JsonValue | undefined): string | undefined =>
  amount(at(transaction, 'Delivery'), 'Quantity', 'QuantityUnit') ??
  amount(at(transaction, 'Order'), 'Quantity', 'QuantityUnit')

const places: Readonly<Record<string, Place>> = {
  en10168: {
    heats: [['Certificate', 'ProductDescription', 'B07']],
    quantity: (json) => {
      const product = at(json, 'Certificate', 'ProductDescription')
      return amount(at(product, 'B13'), 'Value', 'Unit') ?? amount(at(product, 'B12'), 'Value', 'Unit')
    },
  },
  coa: {
    heats: [
      ['Certificate', 'Analysis', 'LotId'],
      ['Certificate', 'Product', 'FillingBatchId'],
    ],
    quantity: (json) => ordered(at(json, 'Certificate', 'BusinessTransaction')),
  },
  metals: {
    heats: [
      ['DigitalMaterialPassport', 'ChemicalAnalysis', 'HeatNumber'],
      ['DigitalMaterialPassport', 'Product', 'BatchId'],
    ],
    quantity: (json) =>
      ordered(at(json, 'DigitalMaterialPassport', 'TransactionData', 'BusinessTransaction')),
  },
  'e-coc': {
    heats: [['EcocData', 'Results', 'ChemicalAnalysis', 'Heat']],
    quantity: (json) => {
      const [object] = listAt(json, 'EcocData', 'Data', 'ObjectOfDeclaration')
      const [quantity] = listAt(object, 'Quantities')
      return amount(quantity, 'Amount', 'Unit')
    },
  },
}

/** Numbers keep their digits as submitted. Of an unknown family nothing is known. */
export const materialOf = (certificate: Certificate): Material => {
  const place = places[recogniseFamily(certificate.json)?.name ?? '']
  if (place === undefined) return { heats: [] }
  const json = shown(certificate)
  const heats = place.heats.flatMap((path) => textsAlong(json, path))
  return withoutUndefined({ heats: [...new Set(heats)], quantity: place.quantity(json) })
}

/** The texts at a path on which any place can be a list. */
const textsAlong = (value: JsonValue | undefined, [key, ...rest]: Path): readonly string[] => {
  const [next, ...others] = rest
  if (next === undefined) return textsAt(value, key)
  return listAt(value, key).flatMap((element) => textsAlong(element, [next, ...others]))
}
