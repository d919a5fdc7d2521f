import type { operations } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import { principalName, type UserPrincipal } from '../../../http/principal.ts'
import { assertRecentSignIn } from '../../../http/step-up.ts'
import { Problem } from '../../../lib/problem.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import { changeMembers } from '../members/change-members.ts'
import { findCompanies, type StoredCompany } from '../companies/companies.store.ts'
import type { UserDependencies } from '../dependencies.ts'
import { deleteMember } from '../members/members.store.ts'
import { reachableUser } from './reach-user.ts'
import { lockUser, removeUser } from './user-changes.store.ts'

type Dependencies = Pick<UserDependencies, 'clock' | 'outbox' | 'audit'>
type DeleteCall = Pick<Call<typeof operations.deleteUser>, 'params' | 'principal' | 'client' | 'commit'>

/** Leaves every company on the way out, which each of them is told; the audit log keeps that the user was there. */
export const deleteUser =
  (deps: Dependencies) =>
  async ({ params, principal, client, commit }: DeleteCall): Promise<string> => {
    const id = reachableUser(principal, params.id)
    assertRecentSignIn(principal, deps.clock)
    return commit(async (tx) => {
      // In the order in which everybody holds them: companies by id, then the user.
      const companies = (await findCompanies(tx, { memberIds: [id] })).toReversed()
      for (const company of companies)
        await leave(deps, tx, { company, userId: id, principal, ip: client.ip })
      const user = await lockUser(tx, id)
      if (user === undefined) throw new Problem('not_found')
      const joinedSince = await findCompanies(tx, { memberIds: [id] })
      if (joinedSince.length > 0) throw new Problem('unavailable', { retryAfterSeconds: 1 })
      await removeUser(tx, id)
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

type Leaving = {
  readonly company: StoredCompany
  readonly userId: string
  readonly principal: UserPrincipal
  readonly ip: string
}

const leave = async (
  deps: Dependencies,
  tx: Transaction,
  { company, userId, principal, ip }: Leaving,
): Promise<void> => {
  const caller = { companyId: company.id, principal, ip }
  await changeMembers(deps)(tx, caller, async () => {
    await deleteMember(tx, company.id, userId)
    return { audited: 'members.remove', userId }
  }).catch((error: unknown) => {
    if (!(error instanceof Problem) || error.code !== 'last_admin') throw error
    const details = [`${company.name} has no other admin: make a member one, or delete the company`]
    throw new Problem('last_admin', { details })
  })
}
