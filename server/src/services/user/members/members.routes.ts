import { operations } from '@millseal/contract'
import { type Binding, bindTo } from '../../../http/binding.ts'
import { listPage } from '../../../http/page.ts'
import { Problem } from '../../../lib/problem.ts'
import { toMemberResponse } from '../companies/company-response.ts'
import type { UserDependencies } from '../dependencies.ts'
import { addMember } from './add-member.ts'
import type { MemberCaller } from './change-members.ts'
import { changeRole } from './change-role.ts'
import { findMemberPage } from '../companies/members.store.ts'
import { removeMember } from './remove-member.ts'

export const memberRoutes = (deps: UserDependencies): readonly Binding[] => {
  const bind = bindTo(deps)
  return [
    bind(operations.listMembers, async ({ database }, call) => {
      const members = await listPage(
        call,
        (page) => findMemberPage(database.query, call.companyId, page),
        ({ id }) => id,
      )
      return members.map(toMemberResponse)
    }),
    bind(operations.addMember, (_, call) =>
      call.commit(async (tx) => {
        const { member } = await addMember(deps, tx, callerOf(call), call.body)
        if (member === undefined) throw new Problem('member_unknown')
        return toMemberResponse(member)
      }),
    ),
    bind(operations.updateMember, (_, call) =>
      call.commit(async (tx) => {
        const change = { userId: call.params.userId.toLowerCase(), role: call.body.role }
        return toMemberResponse(await changeRole(deps, tx, callerOf(call), change))
      }),
    ),
    bind(operations.removeMember, (_, call) =>
      call.commit(async (tx) => {
        const userId = call.params.userId.toLowerCase()
        const wanted = { matches: ({ id }: { id: string }) => id === userId, absent: 'not_found' } as const
        await removeMember(deps, tx, callerOf(call), wanted)
        return { id: userId }
      }),
    ),
    bind(operations.addMemberByEmail, (_, call) =>
      call.commit(async (tx) => {
        const added = { email: call.body.member, role: 'operator' } as const
        return (await addMember(deps, tx, callerOf(call), added)).company
      }),
    ),
    bind(operations.removeMemberByEmail, (_, call) =>
      call.commit((tx) => {
        const address = call.body.member.toLowerCase()
        return removeMember(deps, tx, callerOf(call), {
          matches: ({ email }) => email.toLowerCase() === address,
          absent: 'member_unknown',
        })
      }),
    ),
  ]
}

const callerOf = ({
  companyId,
  principal,
  client,
}: Omit<MemberCaller, 'ip'> & { readonly client: { readonly ip: string } }): MemberCaller => ({
  companyId,
  principal,
  ip: client.ip,
})
