import { limits } from '@millseal/contract'
import { Problem } from '../lib/problem.ts'
import type { Clock } from '../ports/clock/clock.ts'
import type { UserPrincipal } from './principal.ts'

/** What changes who can get in, or shows a secret, asks for a sign-in that is not long ago: a found session is not enough. */
export const assertRecentSignIn = (principal: UserPrincipal, clock: Clock): void => {
  if (clock.now() - principal.signedInAtMs > limits.recentSignInSeconds * 1_000) {
    throw new Problem('step_up_required', {
      details: [`Needs a sign-in within the last ${limits.recentSignInSeconds / 60} minutes`],
    })
  }
}
