import type { UserPrincipal } from '../../../http/principal.ts'
import { Problem } from '../../../lib/problem.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import { lockUser } from './user-changes.store.ts'
import type { StoredUser } from './users.store.ts'

/** A new password ends all earlier sessions except the one it was set in. */
export const hasEndedSession = (
  { sessionsValidFrom, keptSessionId }: StoredUser,
  session: { readonly id: string; readonly startedAtMs: number },
): boolean =>
  sessionsValidFrom !== null &&
  session.startedAtMs <= sessionsValidFrom.getTime() &&
  keptSessionId !== session.id

/** Locks the account of the caller. Throws if the session has ended since the call was authenticated. */
export const lockOwnAccount = async (tx: Transaction, principal: UserPrincipal): Promise<StoredUser> => {
  const user = await lockUser(tx, principal.id)
  const session = { id: principal.sessionId, startedAtMs: principal.sessionStartedAtMs }
  if (user?.status !== 'active' || hasEndedSession(user, session)) throw new Problem('token_invalid')
  return user
}
