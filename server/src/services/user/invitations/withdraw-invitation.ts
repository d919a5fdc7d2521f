import type { operations } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import { principalName } from '../../../http/principal.ts'
import { Problem } from '../../../lib/problem.ts'
import type { UserDependencies } from '../dependencies.ts'
import { endInvitation, lockOpenInvitation } from './invitations.store.ts'

export const withdrawInvitation = async (
  { audit, clock }: UserDependencies,
  { companyId, params, principal, client, commit }: Call<typeof operations.withdrawInvitation>,
): Promise<{ id: string }> => {
  const id = params.invitationId.toLowerCase()
  return commit(async (tx) => {
    const now = new Date(clock.now())
    const invitation = await lockOpenInvitation(tx, id, now)
    if (invitation?.companyId !== companyId) throw new Problem('not_found')
    await endInvitation(tx, id, { withdrawnAt: now })
    await audit.write(tx, {
      actor: principalName(principal),
      action: 'invitations.withdraw',
      subject: `invitation:${id}`,
      companyId,
      ipAddress: client.ip,
      details: { email: invitation.address },
    })
    return { id }
  })
}
