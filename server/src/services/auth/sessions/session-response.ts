import type { Session } from '@millseal/contract'
import type { UserPrincipal } from '../../../http/principal.ts'
import type { StoredSession } from './sessions.store.ts'
import { acrOf } from './strength.ts'

export const toSessionResponse = (session: StoredSession, caller: UserPrincipal): Session => ({
  id: session.id,
  userId: session.userId,
  jwtId: session.accessTokenId,
  loggedInAt: session.loggedInAt.toISOString(),
  current: session.id === caller.sessionId,
  device: session.device,
  ipAddress: session.ipAddress,
  amr: session.amr,
  acr: acrOf(session),
  factorAt: session.factorAt?.toISOString(),
})
