import { Problem } from '../../../lib/problem.ts'
import type { Secret } from '../../../lib/secret.ts'
import { unconfirmedAfter } from '../authenticators/authenticators.ts'
import { findFactors, isConfirmed, lockFactors } from '../authenticators/factors.store.ts'
import { isTotpCode } from '../authenticators/totp.ts'
import {
  type CodeUser,
  type Outcome,
  tryAuthenticatorCode,
  tryRecoveryCode,
} from '../authenticators/try-code.ts'
import type { UserDependencies } from '../dependencies.ts'
import { recordRefusedSignIn } from './sign-in-attempts.ts'

/** Call it after the password was checked. If MFA is enabled, requires a code and uses it up. */
export const assertSecondFactor = async (
  deps: UserDependencies,
  by: CodeUser,
  code: Secret | undefined,
): Promise<void> => {
  const factors = await findFactors(deps.database.query, by.userId, unconfirmedAfter(deps.clock.now()))
  if (!factors.some(isConfirmed)) return
  if (code === undefined) throw new Problem('mfa_code_required')
  const outcome = await tryCode(deps, by, code)
  if (outcome !== 'accepted' && by.ipAddress !== undefined) {
    await recordRefusedSignIn(deps, { user: { id: by.userId }, ipAddress: by.ipAddress }, 'code')
  }
  if (outcome === 'locked') throw new Problem('mfa_locked')
  if (outcome === 'wrong') throw new Problem('credentials_wrong')
}

const tryCode = (deps: UserDependencies, by: CodeUser, code: Secret): Promise<Outcome> =>
  deps.database.transaction(async (tx) => {
    const digits = code.reveal().replaceAll(/\s/g, '')
    if (!isTotpCode(digits)) return tryRecoveryCode(deps, tx, { by, code })
    const factors = await lockFactors(tx, by.userId, unconfirmedAfter(deps.clock.now()))
    return tryAuthenticatorCode(deps, tx, { by, factors: factors.filter(isConfirmed), code: digits })
  })
