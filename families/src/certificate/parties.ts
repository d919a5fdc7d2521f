import type { JsonValue } from '@millseal/proof'
import { familyOf } from './family-of.ts'
import type { Certificate } from './read-certificate.ts'
import { at, entriesAt, listAt, textAt, textsAt } from './shown.ts'

export type CertificateParty = {
  /** As the certificate calls it: A06.3, GoodsReceiver. */
  readonly field: string
  /** Seller, Buyer, CertificateConsignee, … */
  readonly role: string
  readonly name?: string
  readonly emails: readonly string[]
  readonly vatId?: string
  readonly dunsId?: string
}

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

/** What families call by other names than the routing does. */
const roleNames: Readonly<Record<string, string>> = {
  A01: 'Seller',
  A06: 'Buyer',
  'A06.1': 'Buyer',
  'A06.2': 'ProductConsignee',
  'A06.3': 'CertificateConsignee',
  ConsigneeOfCertificate: 'CertificateConsignee',
  CertificateReceiver: 'CertificateConsignee',
}

/** Who issued a certificate and who is to have it. A party in a role that neither sends nor receives is left out. */
export const partiesOf = (certificate: Pick<Certificate, 'json'>): CertificateParties => {
  const parties = find(certificate)
  return {
    senders: parties.filter(({ role }) => senderRoles.has(role)),
    receivers: parties.filter(({ role }) => receiverRoles.has(role)),
  }
}

const find = (certificate: Pick<Certificate, 'json'>): readonly CertificateParty[] => {
  const { json } = certificate
  switch (familyOf(certificate)) {
    case 'en10168':
      return entriesAt(json, 'Certificate', 'CommercialTransaction')
        .filter(([field]) => Object.hasOwn(roleNames, field))
        .map(([field, company]) => companyOf(field, company))
    case 'coa':
      return entriesAt(json, 'Certificate', 'Parties').map(([field, company]) => companyOf(field, company))
    case 'metals':
      return entriesAt(json, 'DigitalMaterialPassport', 'TransactionData', 'Parties').map(
        ([field, company]) => companyOf(field, company),
      )
    case 'e-coc':
      return listAt(json, 'EcocData', 'Data', 'Parties').map(eCocParty)
    default:
      return []
  }
}

const companyOf = (field: string, company: JsonValue): CertificateParty => {
  const name = textAt(company, 'CompanyName') ?? textAt(company, 'Name')
  const vatId = textAt(company, 'VAT_Id') ?? textAt(company, 'Identifiers', 'VAT')
  const dunsId = textAt(company, 'DUNS') ?? textAt(company, 'Identifiers', 'DUNS')
  return {
    field,
    role: Object.hasOwn(roleNames, field) ? (roleNames[field] ?? field) : field,
    ...(name === undefined ? {} : { name }),
    emails: [...new Set([...textsAt(company, 'Email'), ...textsAt(company, 'Emails')])],
    ...(vatId === undefined ? {} : { vatId }),
    ...(dunsId === undefined ? {} : { dunsId }),
  }
}

const eCocParty = (party: JsonValue): CertificateParty => {
  const role = textAt(party, 'PartyRole') ?? ''
  const identifier = (kind: string): string | undefined =>
    textAt(
      listAt(party, 'PartyIdentifier').find((one) => textAt(one, 'NameOfIdentifier') === kind),
      'ValueOfIdentifier',
    )
  const name = textAt(party, 'PartyName')
  const [vatId, dunsId] = [identifier('VATID'), identifier('DUNS')]
  const emails = listAt(party, 'AdditionalPartyProperties')
    .filter((property) => /^e-?mail$/i.test(textAt(property, 'Name') ?? ''))
    .flatMap((property) => textsAt(at(property, 'Value')))
  return {
    field: role,
    role,
    ...(name === undefined ? {} : { name }),
    emails: [...new Set(emails)],
    ...(vatId === undefined ? {} : { vatId }),
    ...(dunsId === undefined ? {} : { dunsId }),
  }
}
