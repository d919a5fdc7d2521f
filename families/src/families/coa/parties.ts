import { companyOf } from '../../certificate/companies.ts'
import { entriesAt } from '../../certificate/shown.ts'
import type { Family } from '../../family.ts'

const roles: ReadonlyMap<string, string> = new Map([
  ['ConsigneeOfCertificate', 'CertificateConsignee'],
  ['ConsigneeOfGoods', 'ProductConsignee'],
])

export const parties: Family['parties'] = (json) =>
  entriesAt(json, 'Certificate', 'Parties').map(([field, company]) =>
    companyOf(company, { field, role: roles.get(field) ?? field }),
  )
