import type { Customer, operations } from '@millseal/contract'
import { limits } from '@millseal/contract'
import type { Call, Content } from '../../../http/binding.ts'
import { csvLine } from '../../../lib/csv-line.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { toCustomerResponse } from './customer-data.ts'
import { findCustomerPage } from './customers.store.ts'

/** All that is stored about customers, for programs and spreadsheets. */
export const exportCustomers = async (
  { database }: CertificateDependencies,
  { companyId, query: { format }, header }: Call<typeof operations.exportCustomers>,
): Promise<Content> => {
  const everything = { limit: limits.customersPerCompany, after: undefined }
  const rows = await findCustomerPage(database.query, { companyId, patterns: [] }, everything)
  header('content-disposition', `attachment; filename="customers.${format}"`)
  const customers = rows.map(toCustomerResponse)
  if (format === 'json') return { type: 'application/json', bytes: JSON.stringify({ customers }, null, 2) }
  const lines = [columns, ...customers.map(cellsOf)]
  return { type: 'text/csv; charset=utf-8', bytes: lines.map((cells) => `${csvLine(cells)}\n`).join('') }
}

const columns = [
  'id',
  'name',
  'vatId',
  'emails',
  'street',
  'zipCode',
  'city',
  'country',
  'language',
  'createdAt',
  'updatedAt',
] as const

const cellsOf = ({ emails, address, ...customer }: Customer): readonly string[] => {
  const values = { ...customer, ...address, emails: emails.join(' ') }
  return columns.map((name) => values[name] ?? '')
}
