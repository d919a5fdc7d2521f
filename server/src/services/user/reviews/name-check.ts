import type { CompanyNameCheck, operations } from '@millseal/contract'
import { because } from '@millseal/contract/reasons'
import { mixesAlphabets } from '@millseal/proof'
import type { Call } from '../../../http/binding.ts'
import { Problem } from '../../../lib/problem.ts'
import type { Query, Transaction } from '../../../ports/database/database.ts'
import { findCompanies, type StoredCompany } from '../companies/companies.store.ts'
import type { UserDependencies } from '../dependencies.ts'
import { findSimilarNames, lockName, type SimilarName } from './similar-names.store.ts'

/** What readers could take the names of these companies for, by company. */
export const checkNames = async (
  query: Query,
  companies: readonly StoredCompany[],
): Promise<ReadonlyMap<string, CompanyNameCheck>> => {
  const found = await findSimilarNames(
    query,
    companies.map(({ id }) => id),
  )
  return new Map(
    companies.map(({ id, name }) => {
      const similar = found.filter((one) => one.of === id).map(toAnswer)
      return [id, { mixesAlphabets: mixesAlphabets(name), similar }]
    }),
  )
}

const toAnswer = ({ id, name, vatId, country, state }: SimilarName): CompanyNameCheck['similar'][number] => ({
  id,
  name,
  vatId,
  country,
  state,
})

export const checkCompanyName = async (
  { database: { query } }: UserDependencies,
  { params }: Call<typeof operations.checkCompanyName>,
): Promise<CompanyNameCheck> => {
  const checks = await checkNames(query, await findCompanies(query, { id: params.id }))
  const [check] = checks.values()
  if (check === undefined) throw new Problem('not_found')
  return check
}

/** Groups have one name in several countries, so a person may accept it; but nobody verifies such a company by accident. */
export const assertDistinctName = async (
  tx: Transaction,
  { id, nameKey }: StoredCompany,
  isAccepted: boolean,
): Promise<readonly string[]> => {
  await lockName(tx, nameKey)
  const similar = await findSimilarNames(tx, [id])
  if (similar.length === 0 || isAccepted) return similar.map((one) => one.id)
  throw new Problem('similar_name', {
    reasons: similar.map(({ name, vatId, country }) =>
      because('company_has_similar_name', { name, vatId, country }),
    ),
  })
}
