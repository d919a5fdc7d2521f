import type { MemberRole } from '@millseal/contract'
import { Problem } from '../../../lib/problem.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import { assertAdmin, changeMembers, type MemberCaller } from './change-members.ts'
import type { UserDependencies } from '../dependencies.ts'
import { type StoredMember, updateMemberRole } from './members.store.ts'

export const changeRole =
  (deps: UserDependencies) =>
  async (
    tx: Transaction,
    caller: MemberCaller,
    { userId, role }: { userId: string; role: MemberRole },
  ): Promise<StoredMember> => {
    const { companyId, principal } = caller
    const { members } = await changeMembers(deps)(tx, caller, async (before) => {
      assertAdmin(before, principal)
      await updateMemberRole(tx, { companyId, userId, role })
      return { audited: 'members.update', userId, role }
    })
    const member = members.find(({ user }) => user.id === userId)
    if (member === undefined) throw new Problem('not_found')
    return member
  }
