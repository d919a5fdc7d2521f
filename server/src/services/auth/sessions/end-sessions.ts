import type { operations, Session } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import { principalName, type UserPrincipal } from '../../../http/principal.ts'
import { Problem } from '../../../lib/problem.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import type { AuthDependencies } from '../dependencies.ts'
import { clearedCookies } from './session-cookies.ts'
import { toSessionResponse } from './session-response.ts'
import { deleteSession, deleteSessionsOf } from './sessions.store.ts'

export const logout = async (
  deps: AuthDependencies,
  { principal, client, header, commit }: Call<typeof operations.logout>,
): Promise<string> => {
  const answer = await commit(async (tx) => {
    await end(deps, tx, principal.sessionId, { principal, client, action: 'auth.logout' })
    return 'Signed out'
  })
  header('set-cookie', clearedCookies(deps.publicUrl()))
  return answer
}

export const endSession = (
  deps: AuthDependencies,
  { params, principal, client, commit }: Call<typeof operations.endSession>,
): Promise<Session> =>
  commit(async (tx) => {
    const ended = await end(deps, tx, params.sessionId, { principal, client, action: 'sessions.end' })
    if (ended === undefined) throw new Problem('not_found')
    return ended
  })

/** Returns the ended sessions newest first, including that of the caller. */
export const endAllSessions = async (
  { audit, publicUrl }: AuthDependencies,
  { principal, client, header, commit }: Call<typeof operations.endAllSessions>,
): Promise<Session[]> => {
  const ended = await commit(async (tx) => {
    const sessions = await deleteSessionsOf(tx, principal.id)
    await audit.write(tx, {
      actor: principalName(principal),
      action: 'sessions.end_all',
      subject: principalName(principal),
      ipAddress: client.ip,
      details: { sessions: sessions.length },
    })
    return sessions
      .toSorted((one, other) => other.id.localeCompare(one.id))
      .map((session) => toSessionResponse(session, principal))
  })
  header('set-cookie', clearedCookies(publicUrl()))
  return ended
}

type Caller = {
  readonly principal: UserPrincipal
  readonly client: { readonly ip: string }
  /** The id of the operation. */
  readonly action: string
}

/** The tokens of the session are invalid from the next call on, because every call looks the session up. */
const end = async (
  { audit }: AuthDependencies,
  tx: Transaction,
  id: string,
  { principal, client, action }: Caller,
): Promise<Session | undefined> => {
  const session = await deleteSession(tx, { id, userId: principal.id })
  if (session === undefined) return undefined
  await audit.write(tx, {
    actor: principalName(principal),
    action,
    subject: `session:${session.id}`,
    ipAddress: client.ip,
  })
  return toSessionResponse(session, principal)
}
