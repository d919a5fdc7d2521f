import { limits } from '@millseal/contract'
import { Problem } from '../lib/problem.ts'
import type { Clock } from '../ports/clock/clock.ts'
import type { UserPrincipal } from './principal.ts'

/**
 * For operations that change credentials or reveal secrets: a stolen session must not be enough. If the account has a
 * second factor, that factor must be recent.
 */
export const assertRecentSignIn = (principal: UserPrincipal, clock: Clock): void => {
  const provenAtMs = principal.hasMfa ? principal.factorAtMs : principal.signedInAtMs
  if (provenAtMs !== undefined && clock.now() - provenAtMs <= limits.recentSignInSeconds * 1_000) return
  const needed = principal.hasMfa ? 'second factor' : 'sign-in'
  throw new Problem('step_up_required', {
    details: [`Needs a ${needed} within the last ${limits.recentSignInSeconds / 60} minutes`],
  })
}
