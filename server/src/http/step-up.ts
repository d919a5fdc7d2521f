import { limits } from '@millseal/contract'
import { Problem } from '../lib/problem.ts'
import type { Clock } from '../ports/clock/clock.ts'
import type { UserPrincipal } from './principal.ts'

/** For operations that change credentials or reveal secrets: a stolen session must not be enough. */
export const assertRecentSignIn = (principal: UserPrincipal, clock: Clock): void => {
  if (clock.now() - principal.signedInAtMs > limits.recentSignInSeconds * 1_000) {
    throw new Problem('step_up_required', {
      details: [`Needs a sign-in within the last ${limits.recentSignInSeconds / 60} minutes`],
    })
  }
}
