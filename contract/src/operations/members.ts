import { Type } from 'typebox'
import { operation } from '../operation.ts'
import { byId, Deleted, Id } from '../shapes/common.ts'
import { AddMember, Company, Member, MemberByEmail, UpdateMember } from '../shapes/companies.ts'

const members = {
  service: 'user-service',
  variant: 'current',
  access: 'user',
  companyInPath: true,
} as const
const change = [{ resource: 'companies', action: 'update_one' }] as const
const byMember = Type.Object({ id: Id, userId: Id })

export const listMembers = operation({
  ...members,
  id: 'members.list',
  method: 'GET',
  path: '/companies/{id}/members',
  summary: 'The members of a company and their roles',
  scope: [{ resource: 'companies', action: 'read_one' }],
  memberRole: 'read_only',
  params: byId,
  answer: { kind: 'json', status: 200, schema: Type.Array(Member) },
  list: true,
})

export const addMember = operation({
  ...members,
  id: 'members.add',
  method: 'POST',
  path: '/companies/{id}/members',
  summary: 'Add a registered user to a company',
  scope: change,
  memberRole: 'admin',
  params: byId,
  body: { kind: 'json', schema: AddMember },
  answer: { kind: 'json', status: 201, schema: Member },
  errors: ['member_unknown', 'member_exists'],
})

export const updateMember = operation({
  ...members,
  id: 'members.update',
  method: 'PATCH',
  path: '/companies/{id}/members/{userId}',
  summary: 'Change the role of a member',
  scope: change,
  memberRole: 'admin',
  params: byMember,
  body: { kind: 'json', schema: UpdateMember },
  answer: { kind: 'json', status: 200, schema: Member },
  errors: ['last_admin'],
})

export const removeMember = operation({
  ...members,
  id: 'members.remove',
  method: 'DELETE',
  path: '/companies/{id}/members/{userId}',
  summary: 'Remove a member',
  description: 'Answers the id of the user. Members may remove themselves.',
  scope: change,
  memberRole: 'read_only',
  params: byMember,
  answer: { kind: 'json', status: 200, schema: Deleted },
  errors: ['last_admin'],
})

export const addMemberByEmail = operation({
  ...members,
  variant: 'earlier',
  id: 'members.add_by_email',
  method: 'PATCH',
  path: '/companies/{id}/member',
  summary: 'Add a registered user to a company, as an operator',
  scope: change,
  memberRole: 'admin',
  params: byId,
  body: { kind: 'json', schema: MemberByEmail },
  answer: { kind: 'json', status: 200, schema: Company },
  errors: ['member_unknown', 'member_exists'],
})

export const removeMemberByEmail = operation({
  ...members,
  variant: 'earlier',
  id: 'members.remove_by_email',
  method: 'DELETE',
  path: '/companies/{id}/member',
  summary: 'Remove a member by e-mail address',
  scope: change,
  memberRole: 'admin',
  params: byId,
  body: { kind: 'json', schema: MemberByEmail },
  answer: { kind: 'json', status: 200, schema: Company },
  errors: ['member_unknown', 'last_admin'],
})
