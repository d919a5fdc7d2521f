import type { operations, ReviewCase, ReviewEvidence } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import { listPage } from '../../../http/page.ts'
import { Problem } from '../../../lib/problem.ts'
import {
  countCompanies,
  findCompanies,
  reviewStateOf,
  type StoredCompany,
} from '../companies/companies.store.ts'
import { toCompanyResponse } from '../companies/company-response.ts'
import type { UserDependencies } from '../dependencies.ts'
import { findMembers } from '../companies/members.store.ts'
import { gatherEvidence, offlineEvidence } from './gather-evidence.ts'
import { checkNames } from './name-check.ts'
import { toReviewResponse } from './review-response.ts'
import { findReviewsOf } from './reviews.store.ts'

/** Everything an operator needs for a decision but the answer of the register, which can take seconds. */
export const listReviewQueue = async (
  { database: { query } }: UserDependencies,
  call: Call<typeof operations.listReviewQueue>,
): Promise<ReviewCase[]> => {
  const filter = { review: call.query.state ?? 'pending', text: call.query.text }
  if (call.query.after === undefined)
    call.header('x-total-count', String(await countCompanies(query, filter)))
  const companies: readonly StoredCompany[] = await listPage(
    call,
    (page) => findCompanies(query, { ...filter, ...page }),
    ({ id }) => id,
  )
  const ids = companies.map(({ id }) => id)
  const [members, reviews, names] = await Promise.all([
    findMembers(query, ids),
    findReviewsOf(query, ids),
    checkNames(query, companies),
  ])
  return companies.map((company) => {
    const history = reviews.filter(({ companyId }) => companyId === company.id)
    return {
      company: toCompanyResponse(company, members),
      nameCheck: names.get(company.id) ?? { mixesAlphabets: false, similar: [] },
      state: reviewStateOf(company, history.length > 0),
      evidence: { ...offlineEvidence(company.vatId), register: 'unknown' },
      reviews: history.map(toReviewResponse),
    }
  })
}

/** May be an answer of the cache: the review itself asks again. */
export const readEvidence = async (
  deps: UserDependencies,
  { params, signal }: Call<typeof operations.readEvidence>,
): Promise<ReviewEvidence> => {
  const [company] = await findCompanies(deps.database.query, { id: params.id })
  if (company === undefined) throw new Problem('not_found')
  return await gatherEvidence(deps.vatRegistry.remembered, deps.clock, {
    vatId: company.vatId,
    signal: signal(),
  })
}
