import type { MemberRole } from '@millseal/contract'
import { Problem } from '../../../lib/problem.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import type { UserDependencies } from '../dependencies.ts'
import { assertAdmin, changeMembers, type MemberCaller } from './change-members.ts'
import { type StoredMember, updateMemberRole } from '../companies/members.store.ts'

export const changeRole = async (
  deps: UserDependencies,
  tx: Transaction,
  caller: MemberCaller,
  { userId, role }: { userId: string; role: MemberRole },
): Promise<StoredMember> => {
  const { members } = await changeMembers(deps, tx, caller, async (before) => {
    assertAdmin(before, caller.principal)
    await updateMemberRole(tx, { companyId: caller.companyId, userId, role })
    return { auditAction: 'members.update', userId, role }
  })
  const member = members.find(({ id }) => id === userId)
  if (member === undefined) throw new Problem('not_found')
  return member
}
