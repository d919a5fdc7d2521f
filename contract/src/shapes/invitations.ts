import { type Static, Type } from 'typebox'
import { certificateMailStates, heldBackReasons, invitationStates, memberRoles } from '../vocabulary.ts'
import { Email, Id, input, oneOf, output, Timestamp } from './common.ts'
import { Password, Username } from './users.ts'

export const CreateInvitation = input('CreateInvitationDto', { email: Email, role: oneOf(memberRoles) })
export type CreateInvitation = Static<typeof CreateInvitation>

export const Invitation = output('InvitationDto', {
  id: Id,
  createdAt: Timestamp,
  email: Type.String({ description: 'The invited address, in lower case' }),
  role: oneOf(memberRoles),
  state: oneOf(invitationStates),
  invitedBy: output('InviterDto', { id: Id, username: Type.String() }),
  expiresAt: Timestamp,
  endedAt: Type.Optional(
    Type.String({ format: 'date-time', description: 'When it was accepted or withdrawn' }),
  ),
  mail: output('InvitationMailDto', {
    state: oneOf(certificateMailStates, {
      description: 'not_sent: see `reason`; refused: the mail server did not accept the mail',
    }),
    reason: Type.Optional(oneOf(heldBackReasons)),
    sentAt: Type.Optional(Timestamp),
  }),
})
export type Invitation = Static<typeof Invitation>

export const OpenInvitation = output('OpenInvitationDto', {
  company: output('InvitingCompanyDto', {
    name: Type.String(),
    vatId: Type.String(),
    verified: Type.Boolean(),
  }),
  invitedBy: Type.String({ description: 'The username of the person who sent the invitation' }),
  email: Type.String(),
  role: oneOf(memberRoles),
  expiresAt: Timestamp,
  account: oneOf(['confirmed', 'unconfirmed', 'none'], {
    description:
      'The account with this address. confirmed: accept without a body; unconfirmed: send a password, which replaces the present one; none: send a username and a password',
  }),
})
export type OpenInvitation = Static<typeof OpenInvitation>

export const AcceptInvitation = input('AcceptInvitationDto', {
  username: Type.Optional(Username),
  password: Type.Optional(Password),
})
export type AcceptInvitation = Static<typeof AcceptInvitation>
