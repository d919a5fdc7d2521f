import type { operations, RecoveryCode } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import { principalName } from '../../../http/principal.ts'
import { assertRecentSignIn } from '../../../http/step-up.ts'
import { Problem } from '../../../lib/problem.ts'
import { unconfirmedAfter } from './authenticators.ts'
import { lockFactors } from './factors.store.ts'
import type { UserDependencies } from '../dependencies.ts'
import { issueRecoveryCode } from './issue-recovery-code.ts'
import { notifyBy } from '../account/security-notice.ts'

export const regenerateRecoveryCode = (deps: Pick<UserDependencies, 'clock' | 'audit' | 'jobs'>) => {
  const issue = issueRecoveryCode(deps)
  const notify = notifyBy(deps)
  return async ({
    principal,
    client,
    commit,
  }: Pick<
    Call<typeof operations.regenerateRecoveryCode>,
    'principal' | 'client' | 'commit'
  >): Promise<RecoveryCode> => {
    assertRecentSignIn(principal, deps.clock)
    const userId = principal.id
    return commit(async (tx) => {
      const factors = await lockFactors(tx, userId, unconfirmedAfter(deps.clock.now()))
      if (!factors.some(({ confirmed }) => confirmed)) throw new Problem('mfa_not_enabled')
      const recoveryCode = await issue(tx, userId)
      await deps.audit.write(tx, {
        actor: principalName(principal),
        action: 'mfa.regenerate_recovery_code',
        subject: `user:${userId}`,
        ipAddress: client.ip,
      })
      await notify(tx, { userId, notice: 'recovery_code_created' })
      return { recoveryCode: recoveryCode.reveal() }
    })
  }
}
