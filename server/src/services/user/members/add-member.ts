import type { Company, MemberRole } from '@millseal/contract'
import { Problem } from '../../../lib/problem.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import { findUserByLogin } from '../users/users.store.ts'
import type { UserDependencies } from '../dependencies.ts'
import { assertAdmin, changeMembers, type MemberCaller } from './change-members.ts'
import { insertMember, type StoredMember } from '../companies/members.store.ts'

/** For users who registered and confirmed the address; everybody else is invited. */
export const addMember = async (
  deps: UserDependencies,
  tx: Transaction,
  caller: MemberCaller,
  { email, role }: { readonly email: string; readonly role: MemberRole },
): Promise<{ company: Company; member: StoredMember | undefined }> => {
  const { companyId } = caller
  const user = await findUserByLogin(tx, email)
  const { company, members } = await changeMembers(deps, tx, caller, async (before) => {
    assertAdmin(before, caller.principal)
    if (user === undefined || user.emailConfirmedAt === null || user.status !== 'active') {
      throw new Problem('member_unknown')
    }
    if (before.some(({ id }) => id === user.id)) throw new Problem('member_exists')
    const isInserted = await insertMember(
      tx,
      { companyId, userId: user.id, role, isAdded: true },
      new Date(deps.clock.now()),
    )
    if (!isInserted) throw new Problem('member_unknown')
    return { auditAction: 'members.add', userId: user.id, role }
  })
  return { company, member: members.find(({ id }) => id === user?.id) }
}
