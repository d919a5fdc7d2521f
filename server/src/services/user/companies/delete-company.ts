import type { operations } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import { assertRecentSignIn } from '../../../http/step-up.ts'
import { Problem } from '../../../lib/problem.ts'
import type { UserDependencies } from '../dependencies.ts'
import { findMembers } from './members.store.ts'
import { countLasting } from '../quotas/lasting-numbers.ts'
import { deleteCompanyRow, lockCompany } from './companies.store.ts'
import { recordCompanyChange } from './company-changes.ts'
import { toCompanyResponse } from './company-response.ts'

/** Deletes its memberships, applications and tokens too. Its reviews and the entries of the audit log stay. */
export const deleteCompany = async (
  deps: UserDependencies,
  { companyId, principal, client, commit }: Call<typeof operations.deleteCompany>,
): Promise<string> => {
  // Applications cannot sign in again; their scope alone decides.
  if (principal.kind === 'user') assertRecentSignIn(principal, deps.clock)
  return commit(async (tx) => {
    const stored = await lockCompany(tx, companyId)
    if (stored === undefined) throw new Problem('not_found')
    const company = toCompanyResponse(stored, await findMembers(tx, [companyId]))
    const { ownerId: userId, verifiedAt } = stored
    if (verifiedAt === null)
      await countLasting(tx, {
        counted: 'companies',
        holders: { userId },
        now: new Date(deps.clock.now()),
      })
    await deleteCompanyRow(tx, companyId)
    await recordCompanyChange(deps, tx, {
      company,
      action: 'delete_one',
      auditAction: 'companies.delete',
      details: { name: company.name, vatId: company.vatId, verified: company.verified },
      principal,
      ip: client.ip,
    })
    return companyId
  })
}
