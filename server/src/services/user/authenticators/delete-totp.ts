import type { Deleted, operations } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import { principalName } from '../../../http/principal.ts'
import { assertRecentSignIn } from '../../../http/step-up.ts'
import { Problem } from '../../../lib/problem.ts'
import { unconfirmedAfter } from './authenticators.ts'
import { deleteFactor, lockFactors } from './factors.store.ts'
import type { UserDependencies } from '../dependencies.ts'
import { deleteRecoveryCode } from './recovery-codes.store.ts'
import { notifyBy } from '../account/security-notice.ts'

/** With the last confirmed authenticator goes the recovery code: MFA is then off. */
export const deleteTotp = (deps: Pick<UserDependencies, 'clock' | 'audit' | 'jobs'>) => {
  const notify = notifyBy(deps)
  return async ({
    params,
    principal,
    client,
    commit,
  }: Pick<
    Call<typeof operations.deleteTotp>,
    'params' | 'principal' | 'client' | 'commit'
  >): Promise<Deleted> => {
    assertRecentSignIn(principal, deps.clock)
    const userId = principal.id
    return commit(async (tx) => {
      const factors = await lockFactors(tx, userId, unconfirmedAfter(deps.clock.now()))
      const factor = factors.find(({ id }) => id === params.id)
      if (factor === undefined) throw new Problem('not_found')
      const isLast = factor.confirmed && factors.filter(({ confirmed }) => confirmed).length === 1
      await deleteFactor(tx, factor.id)
      if (isLast) await deleteRecoveryCode(tx, userId)
      await deps.audit.write(tx, {
        actor: principalName(principal),
        action: 'mfa.delete_totp',
        subject: `authenticator:${factor.id}`,
        ipAddress: client.ip,
        details: { name: factor.name, confirmed: factor.confirmed, mfaDisabled: isLast },
      })
      if (factor.confirmed) {
        await notify(tx, { userId, notice: isLast ? 'mfa_disabled' : 'authenticator_removed' })
      }
      return { id: factor.id }
    })
  }
}
