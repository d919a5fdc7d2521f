import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { acceptLanguage, byId, Deleted, Id } from '../shapes/common.ts'
import { Member } from '../shapes/companies.ts'
import { AcceptInvitation, CreateInvitation, Invitation, OpenInvitation } from '../shapes/invitations.ts'

const invitations = { service: 'user-service', variant: 'current' } as const
const ofCompany = { ...invitations, access: 'user', companyInPath: true, memberRole: 'admin' } as const
const byLink = { ...invitations, access: 'link' } as const
const change = [{ resource: 'companies', action: 'update_one' }] as const
const linkToken = Type.Object({ token: Type.String(limits.linkToken) })

export const createInvitation = operation({
  ...ofCompany,
  id: 'invitations.create',
  method: 'POST',
  path: '/companies/{id}/invitations',
  summary: 'Invite a person to a company by e-mail',
  description: `The person need not be registered. The link in the e-mail works once, for ${limits.invitations.days} days. A company that is not verified can invite ${limits.invitations.unreviewed} people within ${limits.invitations.storedDays} days, others ${limits.invitations.perDay} people a day.`,
  scope: change,
  params: byId,
  body: { kind: 'json', schema: CreateInvitation },
  answer: { kind: 'json', status: 201, schema: Invitation },
  errors: ['member_exists', 'invitation_exists', 'invitation_limit_reached'],
})

export const listInvitations = operation({
  ...ofCompany,
  id: 'invitations.list',
  method: 'GET',
  path: '/companies/{id}/invitations',
  summary: 'List the invitations of the past month',
  scope: [{ resource: 'companies', action: 'read_one' }],
  params: byId,
  answer: { kind: 'json', status: 200, schema: Type.Array(Invitation) },
  list: true,
})

export const withdrawInvitation = operation({
  ...ofCompany,
  id: 'invitations.withdraw',
  method: 'DELETE',
  path: '/companies/{id}/invitations/{invitationId}',
  summary: 'Withdraw an open invitation',
  description: 'The link in the e-mail no longer works.',
  scope: change,
  params: Type.Object({ id: Id, invitationId: Id }),
  answer: { kind: 'json', status: 200, schema: Deleted },
})

export const readInvitationByLink = operation({
  ...byLink,
  id: 'invitations.read_by_link',
  method: 'GET',
  path: '/invitations/by-link',
  summary: 'Read an invitation with the token of the link in the e-mail',
  query: linkToken,
  answer: { kind: 'json', status: 200, schema: OpenInvitation },
})

export const acceptInvitation = operation({
  ...byLink,
  id: 'invitations.accept',
  method: 'POST',
  path: '/invitations/accept',
  summary: 'Accept an invitation with the token of the link in the e-mail',
  description:
    'The account with the invited address becomes a member. Without such an account, this creates one. The link proves the address, so it counts as confirmed.',
  query: linkToken,
  headers: acceptLanguage,
  body: { kind: 'json', schema: AcceptInvitation },
  answer: { kind: 'json', status: 200, schema: Member },
  errors: ['password_rejected', 'user_exists', 'user_inactive', 'member_exists'],
  limit: { perMinute: limits.credentialCallsPerMinute },
  idempotency: 'repeatable',
})
