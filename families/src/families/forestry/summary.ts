import { amountAt } from '../../certificate/amounts.ts'
import { companyName } from '../../certificate/companies.ts'
import { at, listAt, textAt } from '../../certificate/shown.ts'
import type { Family } from '../../family.ts'
import { partyOf } from './parties.ts'

export const summarize: Family['summarize'] = (json) => {
  const passport = at(json, 'DigitalMaterialPassport')
  const [product] = listAt(passport, 'Products')
  return {
    identifier:
      textAt(passport, 'GeneralInformation', 'UserDefinedId') ??
      textAt(passport, 'UserDefinedId') ??
      textAt(passport, 'Id'),
    sellerName: companyName(partyOf(passport, 'Supplier')),
    buyerName: companyName(partyOf(passport, 'Customer')),
    productDescription:
      textAt(product, 'DescriptionOfProduct') ?? textAt(product, 'ProductType') ?? textAt(product, 'Name'),
    orderNumber: textAt(passport, 'PurchaseOrder', 'Id') ?? textAt(passport, 'SalesOrder', 'Id'),
    orderPosition:
      textAt(passport, 'PurchaseOrder', 'Position') ?? textAt(passport, 'SalesOrder', 'Position'),
    deliveryNumber: textAt(passport, 'Delivery', 'Id'),
    deliveryPosition: textAt(passport, 'Delivery', 'Position'),
  }
}

export const quantity: Family['quantity'] = (json) => {
  const [product] = listAt(json, 'DigitalMaterialPassport', 'Products')
  const measured = at(product, 'Measurements')
  const names = { number: 'Value', unit: 'Unit' }
  return amountAt(at(measured, 'Volume'), names) ?? amountAt(at(measured, 'NetWeight'), names)
}
