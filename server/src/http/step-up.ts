import { limits } from '@millseal/contract'
import { because } from '@millseal/contract/reasons'
import { Problem } from '../lib/problem.ts'
import type { Clock } from '../ports/clock/clock.ts'
import type { UserPrincipal } from './principal.ts'

const toleranceMs = 60_000

/**
 * For operations that change credentials or reveal secrets: a stolen session must not be enough. If the account has a
 * second factor, that factor must be recent.
 */
export const assertRecentSignIn = (principal: UserPrincipal, clock: Clock): void => {
  const provenAtMs = principal.hasMfa ? principal.factorAtMs : principal.signedInAtMs
  const ageMs = provenAtMs === undefined ? Number.POSITIVE_INFINITY : clock.now() - provenAtMs
  // What lies ahead was before the clock was set back: nobody knows how long ago.
  if (ageMs <= limits.recentSignInSeconds * 1_000 && ageMs >= -toleranceMs) return
  const needed = principal.hasMfa ? 'second factor' : 'sign-in'
  throw new Problem('step_up_required', {
    reasons: [because('needs_recent_sign_in', { needed, minutes: limits.recentSignInSeconds / 60 })],
  })
}
