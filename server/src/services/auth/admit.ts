import type { Principal } from '../../http/principal.ts'
import { Problem } from '../../lib/problem.ts'
import type { Secret } from '../../lib/secret.ts'
import { audience, listeningAudience, type TokenClaims } from './signing-keys/tokens.ts'
import { findHolder } from './authenticate.ts'
import type { AuthDependencies } from './dependencies.ts'
import { isSameHash, readRefreshToken } from './sessions/refresh-token.ts'
import { findSession } from './sessions/sessions.store.ts'

/** The holder of a token on a connection that outlives a single call. */
export type Admission = {
  readonly principal: Principal
  /** When the presented token expires. */
  readonly untilMs: number
  /** True if a refresh token was presented, as older clients do. */
  readonly byRefreshToken: boolean
  /** The holder by the current records. Undefined if the token is no longer valid. */
  again(): Promise<Principal | undefined>
}

export type Admit = (presented: Secret) => Promise<Admission>

type Presented = { readonly claims: TokenClaims; readonly untilMs: number }

/**
 * Accepts an access token, a token that opens the broker only or, for older clients, the refresh token of a session. A
 * refresh token is not used up by this.
 * Throws `token_invalid` or `token_expired`.
 */
export const admit = async (deps: AuthDependencies, presented: Secret): Promise<Admission> => {
  const session = await readSessionToken(deps, presented)
  const { claims, untilMs } = session ?? (await readAccessToken(deps, presented))
  const again = () => findHolder(deps, claims)
  const principal = await again()
  if (principal === undefined) throw new Problem('token_invalid')
  return { principal, untilMs, byRefreshToken: session !== undefined, again }
}

const readAccessToken = async ({ tokens }: AuthDependencies, presented: Secret): Promise<Presented> => {
  const claims = await tokens.verify(presented, [audience, listeningAudience])
  return { claims, untilMs: (claims.payload.exp ?? 0) * 1_000 }
}

const readSessionToken = async (
  { database, clock }: AuthDependencies,
  presented: Secret,
): Promise<Presented | undefined> => {
  const read = readRefreshToken(presented)
  const session = read && (await findSession(database.query, read.sessionId, new Date(clock.now())))
  if (read === undefined || session === undefined) return undefined
  if (!isSameHash(session.refreshTokenHash, read.tokenHash)) return undefined
  const { id: sessionId, userId: subject, accessTokenId: tokenId, expiresAt } = session
  return { claims: { kind: 'user', subject, tokenId, sessionId }, untilMs: expiresAt.getTime() }
}
