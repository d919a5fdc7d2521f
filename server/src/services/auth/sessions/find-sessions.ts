import type { operations, Session } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import { listPage } from '../../../http/page.ts'
import { Problem } from '../../../lib/problem.ts'
import type { AuthDependencies } from '../dependencies.ts'
import { isOpenFor } from './session-end.ts'
import { toSessionResponse } from './session-response.ts'
import { findSession, findSessionPage } from './sessions.store.ts'

export const listSessions = async (
  { users, database, clock }: AuthDependencies,
  { principal, query, header }: Call<typeof operations.listSessions>,
): Promise<Session[]> => {
  const signer = await users.findSigner(principal.id)
  const open = {
    userId: principal.id,
    now: new Date(clock.now()),
    validFrom: signer?.sessionsValidFrom,
    keptId: signer?.keptSessionId,
  }
  const sessions = await listPage(
    { query, header },
    (page) => findSessionPage(database.query, { ...page, ...open }),
    ({ id }) => id,
  )
  return sessions.map((session) => toSessionResponse(session, principal))
}

export const readSession = async (
  { users, database, clock }: AuthDependencies,
  { params, principal }: Call<typeof operations.readSession>,
): Promise<Session> => {
  const [session, signer] = await Promise.all([
    findSession(database.query, params.sessionId, new Date(clock.now())),
    users.findSigner(principal.id),
  ])
  if (session === undefined || !isOpenFor(session, signer)) throw new Problem('not_found')
  return toSessionResponse(session, principal)
}
