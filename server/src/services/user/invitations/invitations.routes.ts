import { operations } from '@millseal/contract'
import { type Binding, bindTo } from '../../../http/binding.ts'
import { listPage } from '../../../http/page.ts'
import type { UserDependencies } from '../dependencies.ts'
import { acceptInvitation, readInvitationByLink } from './accept-invitation.ts'
import { createInvitation } from './create-invitation.ts'
import { toInvitationResponse } from './invitation-response.ts'
import { findInvitationPage } from './invitations.store.ts'
import { withdrawInvitation } from './withdraw-invitation.ts'

export const invitationRoutes = (deps: UserDependencies): readonly Binding[] => {
  const bind = bindTo(deps)
  return [
    bind(operations.createInvitation, createInvitation),
    bind(operations.listInvitations, async ({ database, clock }, call) => {
      const found = await listPage(
        call,
        (page) => findInvitationPage(database.query, call.companyId, page),
        ({ id }) => id,
      )
      return found.map((invitation) => toInvitationResponse(invitation, new Date(clock.now())))
    }),
    bind(operations.withdrawInvitation, withdrawInvitation),
    bind(operations.readInvitationByLink, readInvitationByLink),
    bind(operations.acceptInvitation, acceptInvitation),
  ]
}
