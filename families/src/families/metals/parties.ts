import { companyOf } from '../../certificate/companies.ts'
import { entriesAt } from '../../certificate/shown.ts'
import type { Family } from '../../family.ts'

export const parties: Family['parties'] = (json) =>
  entriesAt(json, 'DigitalMaterialPassport', 'TransactionData', 'Parties').map(([field, company]) =>
    companyOf(company, { field, role: field === 'CertificateReceiver' ? 'CertificateConsignee' : field }),
  )
