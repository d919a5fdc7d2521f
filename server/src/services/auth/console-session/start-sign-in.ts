import type { Clock } from '../../../ports/clock/clock.ts'
import type { Database } from '../../../ports/database/database.ts'
import type { FindHolder } from '../authenticate.ts'
import { type BrowserSecret, hashOf, newBrowserSecret } from './browser-secret.ts'
import { signInSeconds } from './cookies.ts'
import { findBrowserSession } from './find-browser-session.ts'
import type { Issuer } from './issuer.ts'
import { returnAddress } from './return-to.ts'
import { insertSignIn } from './sign-ins.store.ts'

type Dependencies = {
  readonly issuer: Issuer
  readonly database: Database
  readonly clock: Clock
  readonly publicUrl: () => string
  readonly holder: FindHolder
}

type Wish = {
  readonly returnTo: unknown
  readonly again: boolean
  readonly session: BrowserSecret | undefined
}

/** Where a browser goes, with the cookie by which it is known when it comes back; none where it goes nowhere else. */
export type Started = { readonly location: string; readonly browser: BrowserSecret | undefined }

/** Sends a browser to the issuer; one that is signed in already, by another window perhaps, straight to where it wants. */
export const startSignIn = (deps: Dependencies) => {
  const findSession = findBrowserSession(deps)
  return async ({ returnTo, again, session: cookie }: Wish): Promise<Started> => {
    const target = returnAddress(returnTo, deps.publicUrl())
    const session = cookie === undefined ? undefined : await findSession(cookie)
    if (session !== undefined && !again) return { location: target, browser: undefined }
    const browser = newBrowserSecret()
    const location = await deps.issuer.signInUrl(browser, { again })
    await insertSignIn(deps.database.query, {
      idHash: hashOf(browser),
      returnTo: target,
      again,
      renewedSessionId: session?.person.sessionId,
      expiresAt: new Date(deps.clock.now() + signInSeconds * 1_000),
    })
    return { location: location.href, browser }
  }
}
