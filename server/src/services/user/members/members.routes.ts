import { operations } from '@millseal/contract'
import { type Binding, bind } from '../../../http/binding.ts'
import { listPage } from '../../../http/page.ts'
import { Problem } from '../../../lib/problem.ts'
import { addMember } from './add-member.ts'
import type { MemberCaller } from './change-members.ts'
import { changeRole } from './change-role.ts'
import { toMemberResponse } from '../companies/company-response.ts'
import type { UserDependencies } from '../dependencies.ts'
import { findMemberPage } from './members.store.ts'
import { removeMember } from './remove-member.ts'

export const memberRoutes = (deps: UserDependencies): readonly Binding[] => {
  const add = addMember(deps)
  const change = changeRole(deps)
  const remove = removeMember(deps)
  return [
    bind(operations.listMembers, async (call) => {
      const members = await listPage(
        call,
        (page) => findMemberPage(deps.database.query, call.companyId, page),
        ({ user }) => user.id,
      )
      return members.map(toMemberResponse)
    }),
    bind(operations.addMember, (call) =>
      call.commit(async (tx) => {
        const { member } = await add(tx, callerOf(call), call.body)
        if (member === undefined) throw new Problem('member_unknown')
        return toMemberResponse(member)
      }),
    ),
    bind(operations.updateMember, (call) =>
      call.commit(async (tx) =>
        toMemberResponse(
          await change(tx, callerOf(call), {
            userId: call.params.userId.toLowerCase(),
            role: call.body.role,
          }),
        ),
      ),
    ),
    bind(operations.removeMember, (call) =>
      call.commit(async (tx) => {
        const id = call.params.userId.toLowerCase()
        await remove(tx, callerOf(call), ({ user }) => user.id === id, 'not_found')
        return { id }
      }),
    ),
    bind(operations.addMemberByEmail, (call) =>
      call.commit(
        async (tx) => (await add(tx, callerOf(call), { email: call.body.member, role: 'operator' })).company,
      ),
    ),
    bind(operations.removeMemberByEmail, (call) =>
      call.commit((tx) => {
        const email = call.body.member.toLowerCase()
        return remove(tx, callerOf(call), ({ user }) => user.email.toLowerCase() === email, 'member_unknown')
      }),
    ),
  ]
}

type MemberCall = Omit<MemberCaller, 'ip'> & { readonly client: { readonly ip: string } }

const callerOf = ({ companyId, principal, client }: MemberCall): MemberCaller => ({
  companyId,
  principal,
  ip: client.ip,
})
