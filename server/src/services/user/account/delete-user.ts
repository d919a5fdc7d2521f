import type { operations } from '@millseal/contract'
import { because } from '@millseal/contract/reasons'
import type { Call } from '../../../http/binding.ts'
import { principalName } from '../../../http/principal.ts'
import { assertRecentSignIn } from '../../../http/step-up.ts'
import { Problem } from '../../../lib/problem.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import { findCompanies, type StoredCompany } from '../companies/companies.store.ts'
import type { UserDependencies } from '../dependencies.ts'
import { changeMembers, type MemberCaller } from '../members/change-members.ts'
import { deleteMember } from '../companies/members.store.ts'
import { accessibleUserId } from './accessible-user.ts'
import { deleteUserRow, lockUser } from '../users/user-changes.store.ts'

/** Removes the user from every company first, which notifies each of them. The audit log keeps its entries. */
export const deleteUser = async (
  deps: UserDependencies,
  { params, principal, client, commit }: Call<typeof operations.deleteUser>,
): Promise<string> => {
  const id = accessibleUserId(principal, params.id)
  assertRecentSignIn(principal, deps.clock)
  return commit(async (tx) => {
    // Every transaction locks in this order, or two could block each other: companies by id, then the user.
    const companies = (await findCompanies(tx, { memberIds: [id] })).toReversed()
    for (const company of companies) {
      const caller = { companyId: company.id, principal, ip: client.ip }
      await leaveCompany(deps, tx, caller, { company, userId: id })
    }
    const user = await lockUser(tx, id)
    if (user === undefined) throw new Problem('not_found')
    const joinedSince = await findCompanies(tx, { memberIds: [id] })
    if (joinedSince.length > 0) throw new Problem('unavailable', { retryAfterSeconds: 1 })
    await deleteUserRow(tx, id)
    await deps.audit.write(tx, {
      actor: principalName(principal),
      action: 'users.delete',
      subject: `user:${id}`,
      ipAddress: client.ip,
      details: { username: user.username, companies: companies.map((company) => company.id) },
    })
    return id
  })
}

const leaveCompany = async (
  deps: UserDependencies,
  tx: Transaction,
  caller: MemberCaller,
  { company, userId }: { readonly company: StoredCompany; readonly userId: string },
): Promise<void> => {
  await changeMembers(deps, tx, caller, async () => {
    await deleteMember(tx, company.id, userId)
    return { auditAction: 'members.remove', userId }
  }).catch((error: unknown) => {
    if (!(error instanceof Problem) || error.code !== 'last_admin') throw error
    throw new Problem('last_admin', {
      reasons: [because('company_has_no_other_admin', { company: company.name })],
    })
  })
}
