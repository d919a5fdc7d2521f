import { recogniseFamily } from '../families/index.ts'
import type { CertificateParty } from '../family.ts'
import type { JsonObject } from './read-certificate.ts'

export type CertificateParties = {
  readonly senders: readonly CertificateParty[]
  readonly receivers: readonly CertificateParty[]
}

const senderRoles = new Set(['Seller', 'Supplier', 'Manufacturer'])
const receiverRoles = new Set([
  'Customer',
  'Recipient',
  'Receiver',
  'GoodsReceiver',
  'Buyer',
  'ProductConsignee',
  'CertificateConsignee',
  'TestLab',
])

/** Who issued a certificate and who receives it. Parties in any other role are left out. */
export const partiesOf = ({ json }: { readonly json: JsonObject }): CertificateParties => {
  const parties = recogniseFamily(json)?.parties(json) ?? []
  return {
    senders: parties.filter(({ role }) => senderRoles.has(role)),
    receivers: parties.filter(({ role }) => receiverRoles.has(role)),
  }
}
