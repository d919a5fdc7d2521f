import type { operations, TotpConfirmed } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import { principalName } from '../../../http/principal.ts'
import { Problem } from '../../../lib/problem.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import { unconfirmedAfter } from './authenticators.ts'
import { issueRecoveryCode } from './issue-recovery-code.ts'
import { lockFactors, markConfirmed, type StoredFactor } from './factors.store.ts'
import type { UserDependencies } from '../dependencies.ts'
import { notifyBy } from '../account/security-notice.ts'
import { tryAuthenticatorCode } from './try-code.ts'

type Dependencies = Pick<UserDependencies, 'database' | 'clock' | 'keystore' | 'audit' | 'jobs'>
type Confirmation = Pick<
  Call<typeof operations.confirmTotp>,
  'params' | 'body' | 'principal' | 'client' | 'commit'
>

/** The code is used up in a transaction of its own, because a wrong one must stay counted when the call is refused. */
export const confirmTotp = (deps: Dependencies) => {
  const tryCode = tryAuthenticatorCode(deps)
  const issue = issueRecoveryCode(deps)
  const notify = notifyBy(deps)

  const pending = async (tx: Transaction, userId: string, id: string) => {
    const factors = await lockFactors(tx, userId, unconfirmedAfter(deps.clock.now()))
    const factor = factors.find((one) => one.id === id)
    if (factor === undefined) throw new Problem('not_found')
    if (factor.confirmed) throw new Problem('authenticator_confirmed')
    return { factor, isFirst: !factors.some(({ confirmed }: StoredFactor) => confirmed) }
  }

  return async ({ params, body, principal, client, commit }: Confirmation): Promise<TotpConfirmed> => {
    const userId = principal.id
    const outcome = await deps.database.transaction(async (tx) => {
      const { factor } = await pending(tx, userId, params.id)
      return tryCode(tx, { by: { userId, ipAddress: client.ip }, factors: [factor], code: body.code })
    })
    if (outcome === 'locked') throw new Problem('mfa_locked')
    if (outcome === 'wrong') throw new Problem('mfa_code_wrong')
    return commit(async (tx) => {
      const { factor, isFirst } = await pending(tx, userId, params.id)
      const { id } = factor
      const name = body.name ?? factor.name
      await markConfirmed(tx, { id, name }, new Date(deps.clock.now()))
      const entry = { actor: principalName(principal), ipAddress: client.ip }
      await deps.audit.write(tx, {
        ...entry,
        action: 'mfa.confirm_totp',
        subject: `authenticator:${id}`,
        details: { name },
      })
      await notify(tx, { userId, notice: 'authenticator_added' })
      if (!isFirst) return { id }
      const recoveryCode = await issue(tx, userId)
      return { id, recoveryCode: recoveryCode.reveal() }
    })
  }
}
