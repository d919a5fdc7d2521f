import { companyOf } from '../../certificate/companies.ts'
import { entriesAt } from '../../certificate/shown.ts'
import type { Family } from '../../family.ts'

const roles: ReadonlyMap<string, string> = new Map([
  ['A01', 'Seller'],
  ['A06', 'Buyer'],
  ['A06.1', 'Buyer'],
  ['A06.2', 'ProductConsignee'],
  ['A06.3', 'CertificateConsignee'],
])

export const parties: Family['parties'] = (json) =>
  entriesAt(json, 'Certificate', 'CommercialTransaction')
    .filter(([field]) => roles.has(field))
    .map(([field, company]) => companyOf(company, { field, role: roles.get(field) }))
