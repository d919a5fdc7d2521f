import type { operations, RecoveryCode } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import { principalName } from '../../../http/principal.ts'
import { assertRecentSignIn } from '../../../http/step-up.ts'
import { Problem } from '../../../lib/problem.ts'
import { lockOwnAccount } from '../account/own-account.ts'
import { notify } from '../account/security-notice.ts'
import type { UserDependencies } from '../dependencies.ts'
import { unconfirmedAfter } from './authenticators.ts'
import { endOtherSessions } from './end-other-sessions.ts'
import { isConfirmed, lockFactors } from './factors.store.ts'
import { issueRecoveryCode } from './issue-recovery-code.ts'

export const regenerateRecoveryCode = async (
  deps: UserDependencies,
  { principal, client, commit }: Call<typeof operations.regenerateRecoveryCode>,
): Promise<RecoveryCode> => {
  assertRecentSignIn(principal, deps.clock)
  const userId = principal.id
  return commit(async (tx) => {
    await lockOwnAccount(tx, principal)
    const factors = await lockFactors(tx, userId, unconfirmedAfter(deps.clock.now()))
    if (!factors.some(isConfirmed)) throw new Problem('mfa_not_enabled')
    const recoveryCode = await issueRecoveryCode(deps, tx, userId)
    await endOtherSessions(deps, tx, principal)
    await deps.audit.write(tx, {
      actor: principalName(principal),
      action: 'mfa.regenerate_recovery_code',
      subject: `user:${userId}`,
      ipAddress: client.ip,
    })
    await notify(deps, tx, { userId, notice: 'recovery_code_created' })
    return { recoveryCode: recoveryCode.reveal() }
  })
}
