import { limits } from '@millseal/contract'
import { Problem } from '../lib/problem.ts'
import type { Clock } from '../ports/clock/clock.ts'
import type { UserPrincipal } from './principal.ts'

const toleranceMs = 60_000

/** For operations that change credentials or reveal secrets: a stolen session must not be enough. */
export const assertRecentSignIn = (principal: UserPrincipal, clock: Clock): void => {
  const ageMs = clock.now() - principal.signedInAtMs
  // A sign-in that lies ahead was before the clock was set back: nobody knows how long ago.
  if (ageMs > limits.recentSignInSeconds * 1_000 || ageMs < -toleranceMs) {
    throw new Problem('step_up_required', {
      details: [`Needs a sign-in within the last ${limits.recentSignInSeconds / 60} minutes`],
    })
  }
}
