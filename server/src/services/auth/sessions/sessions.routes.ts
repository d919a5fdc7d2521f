import { operations, type Session } from '@millseal/contract'
import { type Binding, bind } from '../../../http/binding.ts'
import { listPage, type Page } from '../../../http/page.ts'
import type { UserPrincipal } from '../../../http/principal.ts'
import { Problem } from '../../../lib/problem.ts'
import type { Audit } from '../../../ports/audit/audit.ts'
import type { Clock } from '../../../ports/clock/clock.ts'
import type { Database } from '../../../ports/database/database.ts'
import type { UserService } from '../../user/index.ts'
import { endAllSessions, endSession } from './end-sessions.ts'
import { inspectToken } from './inspect-token.ts'
import { refreshSession } from './refresh-session.ts'
import { clearedCookies, sessionCookies } from './session-cookies.ts'
import { isOpenFor } from './session-end.ts'
import { toSessionResponse } from './session-response.ts'
import { findSession, findSessionPage, type StoredSession } from './sessions.store.ts'
import type { Tokens } from '../application-tokens/tokens.ts'

type Dependencies = {
  readonly users: Pick<UserService, 'findSigner' | 'notify'>
  readonly database: Database
  readonly clock: Clock
  readonly audit: Audit
  readonly publicUrl: () => string
  readonly tokens: Tokens
}

export const sessionRoutes = (deps: Dependencies): readonly Binding[] => {
  const refresh = refreshSession(deps)
  const inspect = inspectToken(deps)
  const end = endSession(deps)
  const endAll = endAllSessions(deps)
  return [
    bind(operations.refreshSession, async ({ refreshToken, client, header }) => {
      const refreshed = await refresh(refreshToken, client)
      header('set-cookie', sessionCookies({ ...refreshed, publicUrl: deps.publicUrl() }))
      return {
        userId: refreshed.userId,
        accessToken: refreshed.accessToken.reveal(),
        refreshToken: refreshed.refreshToken.reveal(),
      }
    }),
    bind(operations.logout, async ({ principal, client, header, commit }) => {
      const answer = await commit(async (tx) => {
        await end(tx, principal.sessionId, { principal, client, action: 'auth.logout' })
        return 'Signed out'
      })
      header('set-cookie', clearedCookies(deps.publicUrl()))
      return answer
    }),
    bind(operations.inspectToken, ({ accessToken }) => inspect(accessToken)),
    bind(operations.listSessions, async ({ principal, query, header }) => {
      const page = await listPage({ query, header }, (wanted) => findOpen(deps, principal, wanted), idOf)
      return page.map((session) => toSessionResponse(session, principal))
    }),
    bind(operations.readSession, ({ params, principal }) => readSession(deps, params.sessionId, principal)),
    bind(operations.endSession, ({ params, principal, client, commit }) =>
      commit(async (tx) => {
        const ended = await end(tx, params.sessionId, { principal, client, action: 'sessions.end' })
        if (ended === undefined) throw new Problem('not_found')
        return ended
      }),
    ),
    bind(operations.endAllSessions, async ({ principal, client, header, commit }) => {
      const ended = await commit((tx) => endAll(tx, { principal, client, action: 'sessions.end_all' }))
      header('set-cookie', clearedCookies(deps.publicUrl()))
      return ended
    }),
  ]
}

const idOf = ({ id }: StoredSession): string => id

const findOpen = async (
  { users, database, clock }: Dependencies,
  principal: UserPrincipal,
  page: Page,
): Promise<StoredSession[]> => {
  const signer = await users.findSigner(principal.id)
  return findSessionPage(database.query, {
    ...page,
    userId: principal.id,
    now: new Date(clock.now()),
    validFrom: signer?.sessionsValidFrom ?? undefined,
    keptId: signer?.keptSessionId ?? undefined,
  })
}

const readSession = async (
  { users, database, clock }: Dependencies,
  id: string,
  principal: UserPrincipal,
): Promise<Session> => {
  const [session, signer] = await Promise.all([
    findSession(database.query, id, new Date(clock.now())),
    users.findSigner(principal.id),
  ])
  if (session === undefined || !isOpenFor(session, signer)) throw new Problem('not_found')
  return toSessionResponse(session, principal)
}
