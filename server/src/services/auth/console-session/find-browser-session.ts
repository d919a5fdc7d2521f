import { limits } from '@millseal/contract'
import type { UserPrincipal } from '../../../http/principal.ts'
import type { Clock } from '../../../ports/clock/clock.ts'
import type { Database } from '../../../ports/database/database.ts'
import type { FindHolder } from '../authenticate.ts'
import { type BrowserSecret, hashOf } from './browser-secret.ts'
import { findConsoleSession } from './console-sessions.store.ts'

export type BrowserSession = { readonly person: UserPrincipal; readonly lastSeenAt: Date }

type Dependencies = { readonly database: Database; readonly clock: Clock; readonly holder: FindHolder }

/** Who a cookie stands for, while its session counts and was not left unused for too long. */
export const findBrowserSession =
  ({ database, clock, holder }: Dependencies) =>
  async (cookie: BrowserSecret): Promise<BrowserSession | undefined> => {
    const nowMs = clock.now()
    const session = await findConsoleSession(database.query, hashOf(cookie), {
      now: new Date(nowMs),
      seenAfter: new Date(nowMs - limits.consoleSession.idleSeconds * 1_000),
    })
    if (session === undefined) return undefined
    const { userId: subject, accessTokenId: tokenId, sessionId, authenticatedAt, lastSeenAt } = session
    const person = await holder({ kind: 'user', subject, tokenId, sessionId })
    if (person?.kind !== 'user') return undefined
    const signedInAtMs = Math.min(authenticatedAt?.getTime() ?? 0, nowMs)
    return { person: { ...person, signedInAtMs }, lastSeenAt }
  }
