import { quantityOf } from '../../certificate/amounts.ts'
import { companyName, firstReceiver, summarizeTransaction } from '../../certificate/companies.ts'
import { at, textAt } from '../../certificate/shown.ts'
import type { Family } from '../../family.ts'
import { transactionOf } from './transaction.ts'

export const summarize: Family['summarize'] = (json) => {
  const certificate = at(json, 'Certificate')
  return {
    identifier: textAt(certificate, 'Id'),
    sellerName: companyName(at(certificate, 'Parties', 'Manufacturer')),
    buyerName: firstReceiver(at(certificate, 'Parties')),
    productDescription: textAt(certificate, 'Product', 'Name'),
    ...summarizeTransaction(transactionOf(certificate)),
  }
}

export const quantity: Family['quantity'] = (json) => quantityOf(transactionOf(at(json, 'Certificate')))
