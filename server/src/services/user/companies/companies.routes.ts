import { operations } from '@millseal/contract'
import { type Binding, bindTo } from '../../../http/binding.ts'
import { listPage } from '../../../http/page.ts'
import type { Principal } from '../../../http/principal.ts'
import { Problem } from '../../../lib/problem.ts'
import { countryNames } from '../../../lib/vat/countries.ts'
import type { UserDependencies } from '../dependencies.ts'
import { type CompanyFilter, countCompanies } from './companies.store.ts'
import { readCompanies, readCompany } from './company-response.ts'
import { createCompany } from './create-company.ts'
import { deleteCompany } from './delete-company.ts'
import { lookUpVatId } from './look-up-vat-id.ts'
import { updateCompany } from './update-company.ts'

export const companyRoutes = (deps: UserDependencies): readonly Binding[] => {
  const bind = bindTo(deps)
  return [
    bind(operations.createCompany, createCompany),
    bind(operations.listCompanies, async ({ database }, call) => {
      const { verified, review, text } = call.query
      const filter = { ...visibleTo(call.principal), verified, review, text }
      if (call.query.after === undefined)
        call.header('x-total-count', String(await countCompanies(database.query, filter)))
      return listPage(
        call,
        (page) => readCompanies(database.query, { ...filter, ...page }),
        ({ id }) => id,
      )
    }),
    bind(operations.validateVatId, lookUpVatId),
    bind(operations.listCountries, async () => ({ ...countryNames })),
    bind(operations.readCompany, async ({ database }, { params }) => {
      const company = await readCompany(database.query, params.id)
      if (company === undefined) throw new Problem('not_found')
      return company
    }),
    bind(operations.updateCompany, updateCompany),
    bind(operations.deleteCompany, deleteCompany),
  ]
}

/** Operators see every company, all other callers their own. */
const visibleTo = (principal: Principal): CompanyFilter => {
  if (principal.kind !== 'user') return { id: principal.companyId }
  return principal.role === 'ADMIN' ? {} : { memberIds: [principal.id] }
}
