import type { Deleted, operations } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import { principalName } from '../../../http/principal.ts'
import { assertRecentSignIn } from '../../../http/step-up.ts'
import { Problem } from '../../../lib/problem.ts'
import { lockOwnAccount } from '../users/own-account.ts'
import { notify } from '../mailing/security-notice.ts'
import { endOtherSessions } from '../authenticators/end-other-sessions.ts'
import { hasFactor } from '../authenticators/factors.store.ts'
import { deleteRecoveryCodes } from '../authenticators/recovery-codes.store.ts'
import type { UserDependencies } from '../dependencies.ts'
import { deletePasskeyRow } from '../authenticators/passkeys.store.ts'

/** Deleting the last factor deletes the recovery codes too, and so disables MFA. */
export const deletePasskey = async (
  deps: UserDependencies,
  { params, principal, client, commit }: Call<typeof operations.deletePasskey>,
): Promise<Deleted> => {
  assertRecentSignIn(principal, deps.clock)
  const { id: userId, sessionId } = principal
  return commit(async (tx) => {
    await lockOwnAccount(tx, principal)
    const deleted = await deletePasskeyRow(tx, { id: params.id, userId })
    if (deleted === undefined) throw new Problem('not_found')
    const isLast = !(await hasFactor(tx, userId))
    if (isLast) {
      await deleteRecoveryCodes(tx, userId)
      await deps.recordFactor(tx, { sessionId, factor: undefined, at: new Date(deps.clock.now()) })
    }
    await endOtherSessions(deps, tx, principal)
    await deps.audit.write(tx, {
      actor: principalName(principal),
      action: 'mfa.delete_passkey',
      subject: `passkey:${deleted.id}`,
      ipAddress: client.ip,
      details: { name: deleted.name, mfaDisabled: isLast },
    })
    await notify(deps, tx, { userId, notice: isLast ? 'mfa_disabled' : 'passkey_removed' })
    return { id: deleted.id }
  })
}
