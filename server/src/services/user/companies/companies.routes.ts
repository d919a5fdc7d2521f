import { operations } from '@millseal/contract'
import { type Binding, bind } from '../../../http/binding.ts'
import { listPage } from '../../../http/page.ts'
import type { Principal } from '../../../http/principal.ts'
import { Problem } from '../../../lib/problem.ts'
import { countryNames } from '../../../lib/vat/countries.ts'
import type { CompanyFilter } from './companies.store.ts'
import { readCompanies, readCompany } from './company-response.ts'
import { createCompany } from './create-company.ts'
import { deleteCompany } from './delete-company.ts'
import type { UserDependencies } from '../dependencies.ts'
import { lookUpVatId } from './look-up-vat-id.ts'
import { updateCompany } from './update-company.ts'

export const companyRoutes = (deps: UserDependencies): readonly Binding[] => [
  bind(operations.createCompany, createCompany(deps)),
  bind(operations.listCompanies, (call) => {
    const { verified } = call.query
    const filter = { ...reachOf(call.principal), ...(verified === undefined ? {} : { verified }) }
    return listPage(
      call,
      (page) => readCompanies(deps.database.query, { ...filter, ...page }),
      ({ id }) => id,
    )
  }),
  bind(operations.validateVatId, lookUpVatId(deps)),
  bind(operations.listCountries, async () => ({ ...countryNames })),
  bind(operations.readCompany, async ({ params }) => {
    const company = await readCompany(deps.database.query, params.id)
    if (company === undefined) throw new Problem('not_found')
    return company
  }),
  bind(operations.updateCompany, updateCompany(deps)),
  bind(operations.deleteCompany, deleteCompany(deps)),
]

/** Operators of the platform see every company, everybody else their own. */
const reachOf = (principal: Principal): CompanyFilter => {
  if (principal.kind !== 'user') return { id: principal.companyId }
  return principal.role === 'ADMIN' ? {} : { memberIds: [principal.id] }
}
