import type { AuthenticateBrowser } from '../../../http/gate.ts'
import { Problem } from '../../../lib/problem.ts'
import type { Clock } from '../../../ports/clock/clock.ts'
import type { Database } from '../../../ports/database/database.ts'
import type { FindHolder } from '../authenticate.ts'
import { isFromOwnPages } from '../sessions/same-origin.ts'
import { saveLastSeen } from './console-sessions.store.ts'
import { sessionCookie } from './cookies.ts'
import { findBrowserSession } from './find-browser-session.ts'

type Dependencies = {
  readonly database: Database
  readonly clock: Clock
  readonly publicUrl: () => string
  readonly holder: FindHolder
}

const seenEveryMs = 60_000

/**
 * The cookie alone is worth nothing: a browser attaches it to what other sites make it send, too. What they cannot add is
 * a header of its own, which a page may set for its own origin only.
 */
export const authenticateBrowser = (deps: Dependencies): AuthenticateBrowser => {
  const find = findBrowserSession(deps)
  return async (request) => {
    const cookie = sessionCookie(deps.publicUrl()).read(request.headers.cookie)
    if (cookie === undefined) return undefined
    if (request.headers['x-millseal-console'] !== '1' || !isFromOwnPages(request, deps.publicUrl())) {
      throw new Problem('unauthenticated', {
        details: ['The cookie counts only with the header x-millseal-console: 1, from our own pages'],
      })
    }
    const session = await find(cookie)
    if (session === undefined) {
      throw new Problem('unauthenticated', {
        details: ['The session of this browser has ended: sign in again'],
      })
    }
    const { person, lastSeenAt } = session
    const nowMs = deps.clock.now()
    if (nowMs - lastSeenAt.getTime() > seenEveryMs) {
      await saveLastSeen(deps.database.query, person.sessionId, new Date(nowMs))
    }
    return person
  }
}
