import type { AuthDependencies } from '../dependencies.ts'
import { type BrowserSecret, hashOf, newBrowserSecret } from '../sessions/browser-secret.ts'
import { signInSeconds } from '../sessions/cookies.ts'
import { findBrowserSession } from './find-browser-session.ts'
import type { Issuer } from './issuer.ts'
import { returnAddress } from './return-to.ts'
import { insertSignIn } from './sign-ins.store.ts'

type Started = {
  readonly location: string
  /** Set as a cookie, it identifies the browser when it comes back. Undefined if it is already signed in. */
  readonly browser?: BrowserSecret
}

/** Sends the browser to the issuer. A browser that is signed in already goes straight to its destination. */
export const startSignIn = async (
  deps: AuthDependencies,
  issuer: Issuer,
  {
    returnTo,
    again,
    session: cookie,
  }: {
    readonly returnTo: unknown
    readonly again: boolean
    readonly session: BrowserSecret | undefined
  },
): Promise<Started> => {
  const target = returnAddress(returnTo, deps.publicUrl())
  const session = cookie && (await findBrowserSession(deps, cookie))
  if (session !== undefined && !again) return { location: target }
  const browser = newBrowserSecret()
  const location = await issuer.signInUrl(browser, { again })
  await insertSignIn(deps.database.query, {
    idHash: hashOf(browser),
    returnTo: target,
    again,
    renewedSessionId: session?.person.sessionId,
    expiresAt: new Date(deps.clock.now() + signInSeconds * 1_000),
  })
  return { location: location.href, browser }
}
