import type { operations, TotpConfirmed } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import { principalName } from '../../../http/principal.ts'
import { Problem } from '../../../lib/problem.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import { lockOwnAccount } from '../users/own-account.ts'
import { notify } from '../mailing/security-notice.ts'
import type { UserDependencies } from '../dependencies.ts'
import { unconfirmedAfter } from './authenticators.ts'
import { endOtherSessions } from './end-other-sessions.ts'
import { hasFactor, isConfirmed, lockFactors, markConfirmed } from './factors.store.ts'
import { issueRecoveryCodes, makeRecoveryCodes } from './issue-recovery-codes.ts'
import { tryAuthenticatorCode } from './try-code.ts'

/** Tries the code in a transaction of its own: a wrong one must stay counted when the call fails. */
export const confirmTotp = async (
  deps: UserDependencies,
  { params, body, principal, client, commit }: Call<typeof operations.confirmTotp>,
): Promise<TotpConfirmed> => {
  const userId = principal.id
  const wanted = { userId, id: params.id }
  const outcome = await deps.database.transaction(async (tx) => {
    const factor = await lockPending(deps, tx, wanted)
    const by = { userId, ipAddress: client.ip }
    return tryAuthenticatorCode(deps, tx, { by, factors: [factor], code: body.code })
  })
  if (outcome === 'locked') throw new Problem('mfa_locked')
  if (outcome === 'wrong') throw new Problem('mfa_code_wrong')
  const made = principal.hasMfa ? undefined : await makeRecoveryCodes()
  return commit(async (tx) => {
    await lockOwnAccount(tx, principal)
    const factor = await lockPending(deps, tx, wanted)
    const isFirst = !(await hasFactor(tx, userId))
    const { id } = factor
    const name = body.name ?? factor.name
    const at = new Date(deps.clock.now())
    await markConfirmed(tx, { id, name }, at)
    await endOtherSessions(deps, tx, principal)
    await deps.recordFactor(tx, { sessionId: principal.sessionId, factor: 'otp', at })
    await deps.audit.write(tx, {
      actor: principalName(principal),
      action: 'mfa.confirm_totp',
      subject: `authenticator:${id}`,
      ipAddress: client.ip,
      details: { name },
    })
    await notify(deps, tx, { userId, notice: 'authenticator_added' })
    if (!isFirst || made === undefined) return { id }
    return { id, recoveryCodes: await issueRecoveryCodes(deps, tx, { userId, made }) }
  })
}

const lockPending = async (
  deps: UserDependencies,
  tx: Transaction,
  { userId, id }: { userId: string; id: string },
) => {
  const factors = await lockFactors(tx, userId, unconfirmedAfter(deps.clock.now()))
  const factor = factors.find((one) => one.id === id)
  if (factor === undefined) throw new Problem('not_found')
  if (isConfirmed(factor)) throw new Problem('authenticator_confirmed')
  return factor
}
