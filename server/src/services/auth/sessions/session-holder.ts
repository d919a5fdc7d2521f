import type { UserPrincipal } from '../../../http/principal.ts'
import type { TokenClaims } from '../signing-keys/tokens.ts'
import type { AuthDependencies } from '../dependencies.ts'
import { isOpenFor } from './session-end.ts'
import { acrOf } from './strength.ts'

/** A token of a person is valid as long as its session is open. */
export const findSessionHolder = async (
  { findOpenSession, users }: AuthDependencies,
  { subject, tokenId, sessionId }: TokenClaims,
): Promise<UserPrincipal | undefined> => {
  if (sessionId === undefined) return undefined
  const [session, user] = await Promise.all([findOpenSession(sessionId), users.findSigner(subject)])
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
    acr: acrOf(session),
    factorAtMs: session.factorAt?.getTime(),
    hasMfa: user.hasMfa,
  }
}
