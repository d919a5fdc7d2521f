import { because } from '@millseal/contract/reasons'
import type { AuthenticateBrowser } from '../../../http/gate.ts'
import type { Principal } from '../../../http/principal.ts'
import { Problem } from '../../../lib/problem.ts'
import type { AuthDependencies } from '../dependencies.ts'
import { isFromOwnPages } from '../../../http/same-origin.ts'
import { saveLastSeen } from './console-sessions.store.ts'
import { sessionCookie } from '../sessions/cookies.ts'
import { findBrowserSession } from './find-browser-session.ts'

const seenEveryMs = 60_000

/**
 * Returns the person whose session cookie the request has. The cookie alone is not enough, because a browser also
 * attaches it to requests that other sites cause. Only a page of this server can add the header.
 */
export const authenticateBrowser = async (
  deps: AuthDependencies,
  request: Parameters<AuthenticateBrowser>[0],
): Promise<Principal | undefined> => {
  const cookie = sessionCookie(deps.publicUrl()).read(request.headers.cookie)
  if (cookie === undefined) return undefined
  if (request.headers['x-millseal-console'] !== '1' || !isFromOwnPages(request, deps.publicUrl())) {
    throw new Problem('unauthenticated', {
      reasons: [because('session_needs_console_header')],
    })
  }
  const session = await findBrowserSession(deps, cookie)
  if (session === undefined) {
    throw new Problem('unauthenticated', {
      reasons: [because('session_has_ended')],
    })
  }
  const { person, lastSeenAt } = session
  const nowMs = deps.clock.now()
  if (Math.abs(nowMs - lastSeenAt.getTime()) > seenEveryMs) {
    await saveLastSeen(deps.database.query, person.sessionId, new Date(nowMs))
  }
  return person
}
