import { type AnswerOf, type Customer, type Deleted, limits, type operations } from '@millseal/contract'
import { because } from '@millseal/contract/reasons'
import type { Call } from '../../../http/binding.ts'
import { type Principal, principalName } from '../../../http/principal.ts'
import { Problem } from '../../../lib/problem.ts'
import { uuidv7 } from '../../../lib/uuid.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { toColumns, toCustomerResponse } from './customer-data.ts'
import { countCustomers, insertCustomer, removeCustomer, saveCustomer } from './customers.store.ts'

export const createCustomer = (
  deps: CertificateDependencies,
  call: Call<typeof operations.createCustomer>,
): Promise<AnswerOf<typeof operations.createCustomer>> => {
  const columns = toColumns(call.body)
  const { companyId } = call
  return call.commit(async (tx) => {
    const now = new Date(deps.clock.now())
    const id = uuidv7(now.getTime())
    await makeSpace(deps, tx, companyId)
    await insertCustomer(tx, { ...columns, id, companyId, createdAt: now, updatedAt: now })
    await record(deps, tx, { call, id, action: 'customers.create' })
    return { id }
  })
}

export const updateCustomer = (
  deps: CertificateDependencies,
  call: Call<typeof operations.updateCustomer>,
): Promise<Customer> => {
  const columns = toColumns(call.body)
  const { companyId } = call
  const { id } = call.params
  return call.commit(async (tx) => {
    const updatedAt = new Date(deps.clock.now())
    const saved = await saveCustomer(tx, { id, companyId }, { ...columns, updatedAt })
    if (saved === undefined) throw new Problem('not_found')
    await record(deps, tx, { call, id: saved.id, action: 'customers.update' })
    return toCustomerResponse(saved)
  })
}

export const deleteCustomer = (
  deps: CertificateDependencies,
  call: Call<typeof operations.deleteCustomer>,
): Promise<Deleted> => {
  const { companyId } = call
  const id = call.params.id.toLowerCase()
  return call.commit(async (tx) => {
    if (!(await removeCustomer(tx, { id, companyId }))) throw new Problem('not_found')
    await record(deps, tx, { call, id, action: 'customers.delete' })
    return { id }
  })
}

/** The lock keeps concurrent calls from exceeding the limit. */
const makeSpace = async (
  { users }: CertificateDependencies,
  tx: Transaction,
  companyId: string,
): Promise<void> => {
  const most = limits.customersPerCompany
  if ((await users.lockCompany(tx, companyId)) === undefined) throw new Problem('not_found')
  if ((await countCustomers(tx, { companyId, patterns: [] }, most)) < most) return
  throw new Problem('customer_limit_reached', { reasons: [because('customer_limit', { most })] })
}

/** Without the data of the customer: entries are never deleted. */
const record = (
  { audit }: CertificateDependencies,
  tx: Transaction,
  {
    call: { principal, client, companyId },
    id,
    action,
  }: {
    readonly call: {
      readonly principal: Principal
      readonly client: { readonly ip: string }
      readonly companyId: string
    }
    readonly id: string
    readonly action: string
  },
): Promise<void> =>
  audit.write(tx, {
    actor: principalName(principal),
    action,
    subject: `customer:${id}`,
    companyId,
    ipAddress: client.ip,
    details: {},
  })
