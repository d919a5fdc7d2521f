import type { Principal } from '../../http/principal.ts'
import { Problem } from '../../lib/problem.ts'
import type { Secret } from '../../lib/secret.ts'
import type { Clock } from '../../ports/clock/clock.ts'
import type { Database } from '../../ports/database/database.ts'
import type { TokenClaims, Tokens } from './application-tokens/tokens.ts'
import type { FindHolder } from './authenticate.ts'
import { isSameHash, readRefreshToken } from './sessions/refresh-token.ts'
import { findSession } from './sessions/sessions.store.ts'

/** Somebody who stays longer than a call takes. */
export type Admission = {
  readonly principal: Principal
  /** When what they presented ends. */
  readonly untilMs: number
  /** The same by the records of now; nothing when it no longer counts. */
  again(): Promise<Principal | undefined>
}

export type Admit = (presented: Secret) => Promise<Admission>

type Dependencies = {
  readonly tokens: Pick<Tokens, 'verify'>
  readonly findHolder: FindHolder
  readonly database: Database
  readonly clock: Clock
}

type Presented = { readonly claims: TokenClaims; readonly untilMs: number }

/**
 * By an access token, or as older clients do by the refresh token of a session, which is only looked at: it stays good
 * for the one refresh it is for. Throws `token_invalid` or `token_expired`.
 */
export const admitWith =
  (deps: Dependencies): Admit =>
  async (presented) => {
    const { claims, untilMs } =
      (await byRefreshToken(deps, presented)) ?? (await byAccessToken(deps, presented))
    const again = () => deps.findHolder(claims)
    const principal = await again()
    if (principal === undefined) throw new Problem('token_invalid')
    return { principal, untilMs, again }
  }

const byAccessToken = async ({ tokens }: Dependencies, presented: Secret): Promise<Presented> => {
  const claims = await tokens.verify(presented)
  return { claims, untilMs: (claims.payload.exp ?? 0) * 1_000 }
}

const byRefreshToken = async (
  { database, clock }: Dependencies,
  presented: Secret,
): Promise<Presented | undefined> => {
  const read = readRefreshToken(presented)
  const session = read && (await findSession(database.query, read.sessionId, new Date(clock.now())))
  if (read === undefined || session === undefined) return undefined
  if (!isSameHash(session.refreshTokenHash, read.tokenHash)) return undefined
  const { id: sessionId, userId: subject, accessTokenId: tokenId, expiresAt } = session
  return { claims: { kind: 'user', subject, tokenId, sessionId }, untilMs: expiresAt.getTime() }
}
