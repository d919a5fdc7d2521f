import { quantityOf } from '../../certificate/amounts.ts'
import { companyName, firstReceiver, summarizeTransaction } from '../../certificate/companies.ts'
import { at, textAt } from '../../certificate/shown.ts'
import type { Family } from '../../family.ts'

export const summarize: Family['summarize'] = (json) => {
  const passport = at(json, 'DigitalMaterialPassport')
  const transaction = at(passport, 'TransactionData')
  return {
    identifier: textAt(passport, 'Id'),
    sellerName: companyName(at(transaction, 'Parties', 'Manufacturer')),
    buyerName: firstReceiver(at(transaction, 'Parties')),
    productDescription: textAt(passport, 'Product', 'Name'),
    ...summarizeTransaction(at(transaction, 'BusinessTransaction')),
  }
}

export const quantity: Family['quantity'] = (json) =>
  quantityOf(at(json, 'DigitalMaterialPassport', 'TransactionData', 'BusinessTransaction'))
