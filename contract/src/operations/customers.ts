import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { byId, Deleted, Id, output } from '../shapes/common.ts'
import { Customer, CustomerData, CustomerExport, CustomerQuery } from '../shapes/customers.ts'

/** In both modes the same. */
const customers = {
  service: 'certificate-service',
  variant: 'current',
  access: 'bearer',
  company: 'required',
} as const

export const createCustomer = operation({
  ...customers,
  id: 'customers.create',
  method: 'POST',
  path: '/customers',
  summary: 'Keep a customer',
  description: `A company can have ${limits.customersPerCompany} customers. The answer has the id only, so that no copy of the data stays with the \`Idempotency-Key\` of the call.`,
  scope: [{ resource: 'customers', action: 'create_one' }],
  memberRole: 'clerk',
  body: { kind: 'json', schema: CustomerData },
  answer: { kind: 'json', status: 201, schema: output('CreatedCustomerDto', { id: Id }) },
  errors: ['vat_id_invalid', 'customer_limit_reached'],
})

export const listCustomers = operation({
  ...customers,
  id: 'customers.list',
  method: 'GET',
  path: '/customers',
  summary: 'List and search the customers of the company',
  description: `In the order of their names. The first page has the headers \`X-Total-Count\`, at most ${limits.countedEntries}, and \`X-Total-Count-Exact\`, which is false if there are more.`,
  scope: [{ resource: 'customers', action: 'read_many' }],
  query: Type.Object(CustomerQuery),
  answer: { kind: 'json', status: 200, schema: Type.Array(Customer) },
  list: true,
})

export const exportCustomers = operation({
  ...customers,
  id: 'customers.export',
  method: 'GET',
  path: '/customers/export',
  summary: 'Export all customers of the company',
  description:
    'In the order of their names. JSON has them in `customers`; in CSV, e-mail addresses are separated by spaces.',
  scope: [{ resource: 'customers', action: 'read_many' }],
  query: CustomerExport,
  answer: { kind: 'content', status: 200, types: ['text/csv', 'application/json'] },
})

export const readCustomer = operation({
  ...customers,
  id: 'customers.read',
  method: 'GET',
  path: '/customers/{id}',
  summary: 'Read a customer',
  scope: [{ resource: 'customers', action: 'read_one' }],
  params: byId,
  answer: { kind: 'json', status: 200, schema: Customer },
})

export const updateCustomer = operation({
  ...customers,
  id: 'customers.update',
  method: 'PUT',
  path: '/customers/{id}',
  summary: 'Change a customer',
  description: 'Replaces all data: what the body leaves out is deleted. Certificates never change.',
  scope: [{ resource: 'customers', action: 'update_one' }],
  memberRole: 'clerk',
  params: byId,
  body: { kind: 'json', schema: CustomerData },
  answer: { kind: 'json', status: 200, schema: Customer },
  errors: ['vat_id_invalid'],
})

export const deleteCustomer = operation({
  ...customers,
  id: 'customers.delete',
  method: 'DELETE',
  path: '/customers/{id}',
  summary: 'Delete a customer',
  description:
    'Erases its data at once, except from backups. Certificates that name it keep what they say until their retention ends.',
  scope: [{ resource: 'customers', action: 'delete_one' }],
  memberRole: 'clerk',
  params: byId,
  answer: { kind: 'json', status: 200, schema: Deleted },
})
