import type { Deleted, operations } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import { principalName } from '../../../http/principal.ts'
import { assertRecentSignIn } from '../../../http/step-up.ts'
import { Problem } from '../../../lib/problem.ts'
import { notify } from '../account/security-notice.ts'
import type { UserDependencies } from '../dependencies.ts'
import { unconfirmedAfter } from './authenticators.ts'
import { deleteFactor, isConfirmed, lockFactors } from './factors.store.ts'
import { deleteRecoveryCode } from './recovery-codes.store.ts'

/** Deleting the last confirmed authenticator deletes the recovery code too, and so disables MFA. */
export const deleteTotp = async (
  deps: UserDependencies,
  { params, principal, client, commit }: Call<typeof operations.deleteTotp>,
): Promise<Deleted> => {
  assertRecentSignIn(principal, deps.clock)
  const userId = principal.id
  return commit(async (tx) => {
    const factors = await lockFactors(tx, userId, unconfirmedAfter(deps.clock.now()))
    const factor = factors.find(({ id }) => id === params.id)
    if (factor === undefined) throw new Problem('not_found')
    const confirmed = isConfirmed(factor)
    const isLast = confirmed && factors.filter(isConfirmed).length === 1
    await deleteFactor(tx, factor.id)
    if (isLast) await deleteRecoveryCode(tx, userId)
    await deps.audit.write(tx, {
      actor: principalName(principal),
      action: 'mfa.delete_totp',
      subject: `authenticator:${factor.id}`,
      ipAddress: client.ip,
      details: { name: factor.name, confirmed, mfaDisabled: isLast },
    })
    if (confirmed) {
      await notify(deps, tx, { userId, notice: isLast ? 'mfa_disabled' : 'authenticator_removed' })
    }
    return { id: factor.id }
  })
}
