import type { operations } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import { assertRecentSignIn } from '../../../http/step-up.ts'
import { Problem } from '../../../lib/problem.ts'
import { lockCompany, removeCompany } from './companies.store.ts'
import { tellOfCompany } from './company-news.ts'
import { toCompanyResponse } from './company-response.ts'
import type { UserDependencies } from '../dependencies.ts'
import { findMembers } from '../members/members.store.ts'

/** Takes its members, reviews, applications and tokens along; the audit log keeps that it was there. */
export const deleteCompany =
  (deps: UserDependencies) =>
  async (call: Call<typeof operations.deleteCompany>): Promise<string> => {
    const { companyId, principal, client } = call
    // An application cannot sign in again: it was given the scope for this, or it was not.
    if (principal.kind === 'user') assertRecentSignIn(principal, deps.clock)
    return call.commit(async (tx) => {
      const stored = await lockCompany(tx, companyId)
      if (stored === undefined) throw new Problem('not_found')
      const company = toCompanyResponse(stored, await findMembers(tx, [companyId]))
      await removeCompany(tx, companyId)
      await tellOfCompany(deps)(tx, {
        company,
        action: 'delete_one',
        audited: 'companies.delete',
        details: { name: company.name, vatId: company.vatId, verified: company.verified },
        principal,
        ip: client.ip,
      })
      return companyId
    })
  }
