import type { Invitation } from '@millseal/contract'
import { readRole } from '../companies/stored-role.ts'
import type { MailedInvitation } from './invitations.store.ts'

export const toInvitationResponse = (invitation: MailedInvitation, now: Date): Invitation => ({
  id: invitation.id,
  createdAt: invitation.createdAt.toISOString(),
  email: invitation.address,
  role: readRole(invitation),
  state: stateOf(invitation, now),
  invitedBy: { id: invitation.inviterId, username: invitation.inviterUsername },
  expiresAt: invitation.expiresAt.toISOString(),
  endedAt: (invitation.acceptedAt ?? invitation.withdrawnAt)?.toISOString(),
  mail: {
    state: mailStateOf(invitation),
    reason: invitation.heldBack ?? undefined,
    sentAt: invitation.sentAt?.toISOString(),
  },
})

const stateOf = (
  { acceptedAt, withdrawnAt, expiresAt }: MailedInvitation,
  now: Date,
): Invitation['state'] => {
  if (acceptedAt !== null) return 'accepted'
  if (withdrawnAt !== null) return 'withdrawn'
  return expiresAt > now ? 'open' : 'expired'
}

const mailStateOf = ({ heldBack, refusal, sentAt }: MailedInvitation): Invitation['mail']['state'] => {
  if (heldBack !== null) return 'not_sent'
  if (refusal !== null) return 'refused'
  return sentAt === null ? 'waiting' : 'sent'
}
