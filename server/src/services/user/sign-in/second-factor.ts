import { Problem } from '../../../lib/problem.ts'
import type { Secret } from '../../../lib/secret.ts'
import { unconfirmedAfter } from '../authenticators/authenticators.ts'
import { findFactors, lockFactors } from '../authenticators/factors.store.ts'
import type { UserDependencies } from '../dependencies.ts'
import { isTotpCode } from '../authenticators/totp.ts'
import {
  type Outcome,
  type Trier,
  tryAuthenticatorCode,
  tryRecoveryCode,
} from '../authenticators/try-code.ts'

/** Of a user who gave the right password: asks for a code when MFA is enabled, and uses it up. */
export const assertSecondFactor = (
  deps: Pick<UserDependencies, 'database' | 'keystore' | 'clock' | 'audit' | 'jobs'>,
) => {
  const tryAuthenticators = tryAuthenticatorCode(deps)
  const tryRecovery = tryRecoveryCode(deps)

  const attempt = (by: Trier, code: Secret): Promise<Outcome> =>
    deps.database.transaction(async (tx) => {
      const digits = code.reveal().replaceAll(/\s/g, '')
      if (!isTotpCode(digits)) return tryRecovery(tx, { by, code })
      const factors = await lockFactors(tx, by.userId, unconfirmedAfter(deps.clock.now()))
      return tryAuthenticators(tx, { by, factors: factors.filter(isConfirmed), code: digits })
    })

  return async (by: Trier, code: Secret | undefined): Promise<void> => {
    const factors = await findFactors(deps.database.query, by.userId, unconfirmedAfter(deps.clock.now()))
    if (!factors.some(isConfirmed)) return
    if (code === undefined) throw new Problem('mfa_code_required')
    const outcome = await attempt(by, code)
    if (outcome === 'locked') throw new Problem('mfa_locked')
    if (outcome === 'wrong') throw new Problem('credentials_wrong')
  }
}

const isConfirmed = ({ confirmed }: { confirmed: boolean }): boolean => confirmed
