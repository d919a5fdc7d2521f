import type { Company } from '@millseal/contract'
import { Problem } from '../../../lib/problem.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import { assertAdmin, changeMembers, type MemberCaller } from './change-members.ts'
import type { UserDependencies } from '../dependencies.ts'
import { deleteMember, type StoredMember } from './members.store.ts'

/** Admins remove others; everybody may leave. */
export const removeMember =
  (deps: UserDependencies) =>
  async (
    tx: Transaction,
    caller: MemberCaller,
    isMeant: (member: StoredMember) => boolean,
    absent: 'not_found' | 'member_unknown',
  ): Promise<Company> => {
    const { companyId, principal } = caller
    const { company } = await changeMembers(deps)(tx, caller, async (before) => {
      const member = before.find(isMeant)
      if (member?.user.id !== principal.id) assertAdmin(before, principal)
      if (member === undefined) throw new Problem(absent)
      await deleteMember(tx, companyId, member.user.id)
      return { audited: 'members.remove', userId: member.user.id }
    })
    return company
  }
