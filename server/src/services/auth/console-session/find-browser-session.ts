import { limits } from '@millseal/contract'
import type { UserPrincipal } from '../../../http/principal.ts'
import type { AuthDependencies } from '../dependencies.ts'
import { findSessionHolder } from '../sessions/session-holder.ts'
import { type BrowserSecret, hashOf } from '../sessions/browser-secret.ts'
import { findConsoleSession } from './console-sessions.store.ts'

export type BrowserSession = { readonly person: UserPrincipal; readonly lastSeenAt: Date }

/** Returns the session of a cookie. Undefined if it has ended or was unused for too long. */
export const findBrowserSession = async (
  deps: AuthDependencies,
  cookie: BrowserSecret,
): Promise<BrowserSession | undefined> => {
  const nowMs = deps.clock.now()
  const session = await findConsoleSession(deps.database.query, hashOf(cookie), {
    now: new Date(nowMs),
    seenAfter: new Date(nowMs - limits.consoleSession.idleSeconds * 1_000),
  })
  if (session === undefined) return undefined
  const { userId: subject, accessTokenId: tokenId, sessionId, authenticatedAt, lastSeenAt } = session
  const person = await findSessionHolder(deps, { kind: 'user', subject, tokenId, sessionId })
  if (person === undefined) return undefined
  const signedInAtMs = authenticatedAt?.getTime() ?? 0
  return { person: { ...person, signedInAtMs }, lastSeenAt }
}
