import { Problem } from '../../../lib/problem.ts'
import type { Secret } from '../../../lib/secret.ts'
import { unconfirmedAfter } from '../authenticators/authenticators.ts'
import { hasFactor, isConfirmed, lockFactors } from '../authenticators/factors.store.ts'
import { type CodeUser, digitsOf, type Outcome, tryCode } from '../authenticators/try-code.ts'
import type { Factor, UserDependencies } from '../dependencies.ts'
import { recordRefusedSignIn } from './sign-in-attempts.ts'

/** Call it after the password was checked. If MFA is enabled, requires a code, uses it up and says what it was. */
export const assertSecondFactor = async (
  deps: UserDependencies,
  by: CodeUser,
  code: Secret | undefined,
): Promise<Factor | undefined> => {
  if (!(await hasFactor(deps.database.query, by.userId))) return undefined
  if (code === undefined) throw new Problem('mfa_code_required')
  const outcome = await tryConfirmed(deps, by, code)
  if (outcome !== 'accepted' && by.ipAddress !== undefined) {
    await recordRefusedSignIn(deps, { user: { id: by.userId }, ipAddress: by.ipAddress }, 'code')
  }
  if (outcome === 'locked') throw new Problem('mfa_locked')
  if (outcome === 'wrong') throw new Problem('credentials_wrong')
  return digitsOf(code) === undefined ? 'recovery' : 'otp'
}

const tryConfirmed = (deps: UserDependencies, by: CodeUser, code: Secret): Promise<Outcome> =>
  deps.database.transaction(async (tx) => {
    const factors = await lockFactors(tx, by.userId, unconfirmedAfter(deps.clock.now()))
    return tryCode(deps, tx, { by, factors: factors.filter(isConfirmed), code })
  })
