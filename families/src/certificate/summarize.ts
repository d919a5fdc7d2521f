import type { JsonValue } from '@millseal/proof'
import { familyOf } from './family-of.ts'
import type { Certificate } from './read-certificate.ts'
import { at, entriesAt, listAt, textAt, textsAt } from './shown.ts'

/** What a receiver is told of a certificate at a glance: CertificateSummaryDto. */
export type CertificateSummary = {
  readonly identifier?: string
  readonly sellerName?: string
  readonly buyerName?: string
  readonly productDescription?: string
  readonly orderNumber?: string
  readonly orderPosition?: string
  readonly deliveryNumber?: string
  readonly deliveryPosition?: string
}

type Draft = { readonly [Name in keyof CertificateSummary]: string | undefined }

export const summarize = (certificate: Pick<Certificate, 'json'>): CertificateSummary => {
  const { json } = certificate
  const draft = draftOf(familyOf(certificate), json)
  return Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== undefined))
}

const draftOf = (family: ReturnType<typeof familyOf>, json: JsonValue): Draft => {
  switch (family) {
    case 'en10168':
      return en10168(at(json, 'Certificate'))
    case 'coa':
      return coa(at(json, 'Certificate'))
    case 'metals':
      return metals(at(json, 'DigitalMaterialPassport'))
    case 'e-coc':
      return eCoc(json)
    default:
      return {}
  }
}

const companyName = (company: JsonValue | undefined): string | undefined =>
  textAt(company, 'CompanyName') ?? textAt(company, 'Name')

const en10168 = (certificate: JsonValue | undefined): Draft => {
  const transaction = at(certificate, 'CommercialTransaction')
  const buyers = new Set(['A06', 'A06.1', 'A06.2', 'A06.3'])
  return {
    identifier: textAt(transaction, 'A03'),
    sellerName: companyName(at(transaction, 'A01')),
    buyerName: companyName(entriesAt(transaction).find(([field]) => buyers.has(field))?.[1]),
    productDescription: textAt(certificate, 'ProductDescription', 'B01'),
    orderNumber: textAt(transaction, 'A07'),
    orderPosition: textAt(transaction, 'A97'),
    deliveryNumber: textAt(transaction, 'A98'),
  }
}

const receiverFields = [
  'Customer',
  'Receiver',
  'GoodsReceiver',
  'ConsigneeOfCertificate',
  'CertificateReceiver',
]

const firstReceiver = (parties: JsonValue | undefined): string | undefined =>
  receiverFields.map((field) => companyName(at(parties, field))).find((name) => name !== undefined)

const business = (transaction: JsonValue | undefined): Draft => ({
  orderNumber: textAt(transaction, 'Order', 'Number') ?? textAt(transaction, 'Order', 'Id'),
  orderPosition: textAt(transaction, 'Order', 'Position'),
  deliveryNumber: textAt(transaction, 'Delivery', 'Number') ?? textAt(transaction, 'Delivery', 'Id'),
  deliveryPosition: textAt(transaction, 'Delivery', 'Position'),
})

const coa = (certificate: JsonValue | undefined): Draft => ({
  identifier: textAt(certificate, 'Id'),
  sellerName: companyName(at(certificate, 'Parties', 'Manufacturer')),
  buyerName: firstReceiver(at(certificate, 'Parties')),
  productDescription: textAt(certificate, 'Product', 'Name'),
  ...business(at(certificate, 'BusinessTransaction')),
})

const metals = (passport: JsonValue | undefined): Draft => ({
  identifier: textAt(passport, 'Id'),
  sellerName: companyName(at(passport, 'TransactionData', 'Parties', 'Manufacturer')),
  buyerName: firstReceiver(at(passport, 'TransactionData', 'Parties')),
  productDescription: textAt(passport, 'Product', 'Name'),
  ...business(at(passport, 'TransactionData', 'BusinessTransaction')),
})

const eCoc = (json: JsonValue): Draft => {
  const data = at(json, 'EcocData', 'Data')
  const reference = (name: string): string | undefined =>
    textAt(
      listAt(data, 'BusinessRef', 'StandardReferences').find((one) => textAt(one, 'Name') === name),
      'Value',
    )
  const party = (...roles: readonly string[]): string | undefined =>
    roles
      .map((role) =>
        textAt(
          listAt(data, 'Parties').find((one) => textAt(one, 'PartyRole') === role),
          'PartyName',
        ),
      )
      .find((name) => name !== undefined)
  return {
    identifier: textAt(json, 'Id'),
    sellerName: party('Manufacturer', 'Supplier'),
    buyerName: party('Customer', 'Recipient'),
    productDescription: textsAt(listAt(data, 'ObjectOfDeclaration')[0], 'ObjectName')[0],
    orderNumber: reference('OrderNo'),
    orderPosition: reference('OrderPosition'),
    deliveryNumber: reference('DeliveryNote'),
  }
}
