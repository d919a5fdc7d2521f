import type { operations, RecoveryCodes } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import { principalName } from '../../../http/principal.ts'
import { assertRecentSignIn } from '../../../http/step-up.ts'
import { Problem } from '../../../lib/problem.ts'
import { lockOwnAccount } from '../users/own-account.ts'
import { notify } from '../mailing/security-notice.ts'
import type { UserDependencies } from '../dependencies.ts'
import { endOtherSessions } from './end-other-sessions.ts'
import { hasFactor } from './factors.store.ts'
import { issueRecoveryCodes, makeRecoveryCodes } from './issue-recovery-codes.ts'

export const regenerateRecoveryCodes = async (
  deps: UserDependencies,
  { principal, client, commit }: Call<typeof operations.regenerateRecoveryCodes>,
): Promise<RecoveryCodes> => {
  assertRecentSignIn(principal, deps.clock)
  const userId = principal.id
  if (!principal.hasMfa) throw new Problem('mfa_not_enabled')
  const made = await makeRecoveryCodes()
  return commit(async (tx) => {
    await lockOwnAccount(tx, principal)
    if (!(await hasFactor(tx, userId))) throw new Problem('mfa_not_enabled')
    const recoveryCodes = await issueRecoveryCodes(deps, tx, { userId, made })
    await endOtherSessions(deps, tx, principal)
    await deps.audit.write(tx, {
      actor: principalName(principal),
      action: 'mfa.regenerate_recovery_codes',
      subject: `user:${userId}`,
      ipAddress: client.ip,
    })
    await notify(deps, tx, { userId, notice: 'recovery_codes_created' })
    return { recoveryCodes }
  })
}
