import type { Actor } from '../../../http/principal.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import type { UserDependencies } from '../dependencies.ts'
import { countLasting } from '../quotas/lasting-numbers.ts'
import { deleteCompanyRow, type StoredCompany } from './companies.store.ts'
import { recordCompanyChange } from './company-changes.ts'
import { toCompanyResponse } from './company-response.ts'
import { findMembers } from './members.store.ts'

/** Deletes a locked company with its memberships, applications and tokens. Its reviews and its audit entries stay. */
export const removeCompany = async (
  deps: UserDependencies,
  tx: Transaction,
  { stored, principal, ip }: { stored: StoredCompany; principal: Actor; ip: string },
): Promise<void> => {
  const { id, ownerId: userId, verifiedAt } = stored
  const company = toCompanyResponse(stored, await findMembers(tx, [id]))
  if (verifiedAt === null)
    await countLasting(tx, { counted: 'companies', holders: { userId }, now: new Date(deps.clock.now()) })
  await deleteCompanyRow(tx, id)
  await recordCompanyChange(deps, tx, {
    company,
    action: 'delete_one',
    auditAction: 'companies.delete',
    details: { name: company.name, vatId: company.vatId, verified: company.verified },
    principal,
    ip,
  })
}
