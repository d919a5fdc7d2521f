import { inBatches } from '../../../lib/in-batches.ts'
import type { Clock } from '../../../ports/clock/clock.ts'
import type { Database } from '../../../ports/database/database.ts'
import type { UserService } from '../../user/index.ts'
import type { FindHolder } from '../authenticate.ts'
import { isOpenFor } from './session-end.ts'
import { findSessions } from './sessions.store.ts'

type Dependencies = {
  readonly database: Database
  readonly clock: Clock
  readonly users: Pick<UserService, 'findSigner'>
}

/** A person's token counts while its session does: not signed out, not ended by a new password, its user active. */
export const sessionHolder = ({ database, clock, users }: Dependencies): FindHolder => {
  const findSession = inBatches((ids) => findSessions(database.query, ids, new Date(clock.now())))
  return async ({ subject, tokenId, sessionId }) => {
    if (sessionId === undefined) return undefined
    const [session, user] = await Promise.all([findSession(sessionId), users.findSigner(subject)])
    if (session === undefined || !isOpenFor(session, user)) return undefined
    return {
      kind: 'user',
      id: user.id,
      username: user.username,
      email: user.email,
      role: user.role,
      sessionId: session.id,
      tokenId,
      sessionStartedAtMs: session.loggedInAt.getTime(),
      signedInAtMs: session.loggedInAt.getTime(),
      hasMfa: user.hasMfa,
    }
  }
}
