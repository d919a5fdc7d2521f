import { type Customer, operations } from '@millseal/contract'
import { type Binding, bindTo, type Call } from '../../../http/binding.ts'
import { listPage, tellTotal } from '../../../http/page.ts'
import { Problem } from '../../../lib/problem.ts'
import { readTextParameter } from '../certificates/text-parameter.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { createCustomer, deleteCustomer, updateCustomer } from './change-customer.ts'
import { toCustomerResponse } from './customer-data.ts'
import { countCustomers, findCustomer, findCustomerPage } from './customers.store.ts'
import { exportCustomers } from './export-customers.ts'

export const customerRoutes = (deps: CertificateDependencies): readonly Binding[] => {
  const bind = bindTo(deps)
  return [
    bind(operations.createCustomer, createCustomer),
    bind(operations.listCustomers, listCustomers),
    bind(operations.exportCustomers, exportCustomers),
    bind(operations.readCustomer, readCustomer),
    bind(operations.updateCustomer, updateCustomer),
    bind(operations.deleteCustomer, deleteCustomer),
  ]
}

const listCustomers = async (
  { database: { query } }: CertificateDependencies,
  call: Call<typeof operations.listCustomers>,
): Promise<Customer[]> => {
  const { companyId } = call
  const { text } = call.query
  const patterns = text === undefined ? [] : readTextParameter(text).patterns
  const filter = { companyId, patterns }
  await tellTotal(call, (atMost) => countCustomers(query, filter, atMost))
  const found = await listPage(
    call,
    (page) => findCustomerPage(query, filter, page),
    ({ id }) => id,
  )
  return found.map(toCustomerResponse)
}

const readCustomer = async (
  { database }: CertificateDependencies,
  { companyId, params }: Call<typeof operations.readCustomer>,
): Promise<Customer> => {
  const found = await findCustomer(database.query, { id: params.id, companyId })
  if (found === undefined) throw new Problem('not_found')
  return toCustomerResponse(found)
}
