import type { MemberRole } from '@millseal/contract'
import { Problem } from '../../../lib/problem.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import { assertAdmin, changeMembers, type MemberCaller } from './change-members.ts'
import type { UserDependencies } from '../dependencies.ts'
import { insertMember } from './members.store.ts'
import { findUserByLogin } from '../account/users.store.ts'

export type Invited = { readonly email: string; readonly role: MemberRole }

/** There are no invitations: only somebody who registered, and confirmed that the address is theirs, can be added. */
export const addMember =
  (deps: UserDependencies) =>
  async (tx: Transaction, caller: MemberCaller, { email, role }: Invited) => {
    const { companyId } = caller
    const user = await findUserByLogin(tx, email)
    const { company, members } = await changeMembers(deps)(tx, caller, async (before) => {
      assertAdmin(before, caller.principal)
      if (user === undefined || !user.emailConfirmed || user.status !== 'active') {
        throw new Problem('member_unknown')
      }
      if (before.some((member) => member.user.id === user.id)) throw new Problem('member_exists')
      const isThere = await insertMember(tx, { companyId, userId: user.id, role }, new Date(deps.clock.now()))
      if (!isThere) throw new Problem('member_unknown')
      return { audited: 'members.add', userId: user.id, role }
    })
    return { company, member: members.find((member) => member.user.id === user?.id) }
  }
