import type { JsonValue } from '@millseal/proof'
import { amountAt } from '../../certificate/amounts.ts'
import { at, listAt, textAt, textsAt } from '../../certificate/shown.ts'
import type { Family } from '../../family.ts'

export const summarize: Family['summarize'] = (json) => {
  const data = at(json, 'EcocData', 'Data')
  return {
    identifier: textAt(json, 'Id'),
    sellerName: partyName(data, ['Manufacturer', 'Supplier']),
    buyerName: partyName(data, ['Customer', 'Recipient']),
    productDescription: textsAt(listAt(data, 'ObjectOfDeclaration')[0], 'ObjectName')[0],
    orderNumber: reference(data, 'OrderNo'),
    orderPosition: reference(data, 'OrderPosition'),
    deliveryNumber: reference(data, 'DeliveryNote'),
  }
}

export const quantity: Family['quantity'] = (json) => {
  const [object] = listAt(json, 'EcocData', 'Data', 'ObjectOfDeclaration')
  return amountAt(listAt(object, 'Quantities')[0], { number: 'Amount', unit: 'Unit' })
}

const reference = (data: JsonValue | undefined, name: string): string | undefined =>
  textAt(
    listAt(data, 'BusinessRef', 'StandardReferences').find((one) => textAt(one, 'Name') === name),
    'Value',
  )

/** The first of the roles, in this order, whose party has a name. */
const partyName = (data: JsonValue | undefined, roles: readonly string[]): string | undefined =>
  roles
    .map((role) =>
      textAt(
        listAt(data, 'Parties').find((party) => textAt(party, 'PartyRole') === role),
        'PartyName',
      ),
    )
    .find((name) => name !== undefined)
