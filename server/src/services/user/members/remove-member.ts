import type { Company } from '@millseal/contract'
import { Problem } from '../../../lib/problem.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import type { UserDependencies } from '../dependencies.ts'
import { assertAdmin, changeMembers, type MemberCaller } from './change-members.ts'
import { deleteMember, type StoredMember } from '../companies/members.store.ts'

/** Admins can remove any member; all members can remove themselves. */
export const removeMember = async (
  deps: UserDependencies,
  tx: Transaction,
  caller: MemberCaller,
  wanted: {
    readonly matches: (member: StoredMember) => boolean
    readonly absent: 'not_found' | 'member_unknown'
  },
): Promise<Company> => {
  const { companyId, principal } = caller
  const { company } = await changeMembers(deps, tx, caller, async (before) => {
    const member = before.find(wanted.matches)
    if (member?.id !== principal.id) assertAdmin(before, principal)
    if (member === undefined) throw new Problem(wanted.absent)
    await deleteMember(tx, companyId, member.id)
    return { auditAction: 'members.remove', userId: member.id }
  })
  return company
}
