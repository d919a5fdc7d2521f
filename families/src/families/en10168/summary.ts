import { amountAt } from '../../certificate/amounts.ts'
import { companyName } from '../../certificate/companies.ts'
import { at, entriesAt, textAt } from '../../certificate/shown.ts'
import type { Family } from '../../family.ts'

const buyers = new Set(['A06', 'A06.1', 'A06.2', 'A06.3'])

export const summarize: Family['summarize'] = (json) => {
  const transaction = at(json, 'Certificate', 'CommercialTransaction')
  return {
    identifier: textAt(transaction, 'A03'),
    sellerName: companyName(at(transaction, 'A01')),
    buyerName: companyName(entriesAt(transaction).find(([field]) => buyers.has(field))?.[1]),
    productDescription: textAt(json, 'Certificate', 'ProductDescription', 'B01'),
    orderNumber: textAt(transaction, 'A07'),
    orderPosition: textAt(transaction, 'A97'),
    deliveryNumber: textAt(transaction, 'A98'),
  }
}

export const quantity: Family['quantity'] = (json) => {
  const product = at(json, 'Certificate', 'ProductDescription')
  const names = { number: 'Value', unit: 'Unit' }
  return amountAt(at(product, 'B13'), names) ?? amountAt(at(product, 'B12'), names)
}
