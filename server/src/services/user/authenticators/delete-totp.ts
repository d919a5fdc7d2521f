import type { Deleted, operations } from '@millseal/contract'
import { because } from '@millseal/contract/reasons'
import type { Call } from '../../../http/binding.ts'
import { principalName } from '../../../http/principal.ts'
import { assertRecentSignIn } from '../../../http/step-up.ts'
import { Problem } from '../../../lib/problem.ts'
import { Secret } from '../../../lib/secret.ts'
import { lockOwnAccount } from '../users/own-account.ts'
import { notify } from '../mailing/security-notice.ts'
import type { UserDependencies } from '../dependencies.ts'
import { unconfirmedAfter } from './authenticators.ts'
import { endOtherSessions } from './end-other-sessions.ts'
import { deleteFactor, hasFactor, isConfirmed, lockFactors } from './factors.store.ts'
import { deleteRecoveryCodes } from './recovery-codes.store.ts'
import { tryCode } from './try-code.ts'

type DeleteCall = Call<typeof operations.deleteTotp>

/** Deleting the last factor deletes the recovery codes too, and so disables MFA. */
export const deleteTotp = async (deps: UserDependencies, call: DeleteCall): Promise<Deleted> => {
  const { params, principal, client, commit } = call
  assertRecentSignIn(principal, deps.clock)
  await useCode(deps, call)
  const { id: userId, sessionId } = principal
  return commit(async (tx) => {
    await lockOwnAccount(tx, principal)
    const factors = await lockFactors(tx, userId, unconfirmedAfter(deps.clock.now()))
    const factor = factors.find(({ id }) => id === params.id)
    if (factor === undefined) throw new Problem('not_found')
    const confirmed = isConfirmed(factor)
    await deleteFactor(tx, factor.id)
    const isLast = confirmed && !(await hasFactor(tx, userId))
    if (isLast) {
      await deleteRecoveryCodes(tx, userId)
      await deps.recordFactor(tx, { sessionId, factor: undefined, at: new Date(deps.clock.now()) })
    }
    await deps.audit.write(tx, {
      actor: principalName(principal),
      action: 'mfa.delete_totp',
      subject: `authenticator:${factor.id}`,
      ipAddress: client.ip,
      details: { name: factor.name, confirmed, mfaDisabled: isLast },
    })
    if (confirmed) {
      await endOtherSessions(deps, tx, principal)
      await notify(deps, tx, { userId, notice: isLast ? 'mfa_disabled' : 'authenticator_removed' })
    }
    return { id: factor.id }
  })
}

/**
 * Uses up a code of the authenticator, or a recovery code in its place. Runs in a transaction of its own: a wrong code
 * must stay counted when the call fails.
 */
const useCode = async (deps: UserDependencies, { params, body, principal, client }: DeleteCall) => {
  const userId = principal.id
  const code = body?.code
  const outcome = await deps.database.transaction(async (tx) => {
    const factors = await lockFactors(tx, userId, unconfirmedAfter(deps.clock.now()))
    const factor = factors.find(({ id }) => id === params.id)
    if (factor === undefined) throw new Problem('not_found')
    if (!isConfirmed(factor)) return 'accepted'
    if (code === undefined) {
      throw new Problem('step_up_required', {
        reasons: [because('send_code_of_authenticator')],
      })
    }
    const by = { userId, ipAddress: client.ip }
    return tryCode(deps, tx, { by, factors: [factor], code: new Secret(code) })
  })
  if (outcome === 'locked') throw new Problem('mfa_locked')
  if (outcome === 'wrong') throw new Problem('mfa_code_wrong')
}
