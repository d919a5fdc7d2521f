import { createHash, randomBytes } from 'node:crypto'
import { limits } from '@millseal/contract'
import { Secret } from '../../lib/secret.ts'
import { uuidv7 } from '../../lib/uuid.ts'
import type { Clock } from '../../ports/clock/clock.ts'
import type { Database } from '../../ports/database/database.ts'
import type { Credentials, UserRoom } from '../user/index.ts'
import { insertSession } from './sessions.store.ts'
import type { Tokens } from './tokens.ts'

export type SignedIn = {
  readonly userId: string
  readonly accessToken: Secret
  readonly refreshToken: Secret
}

type Dependencies = {
  readonly users: Pick<UserRoom, 'signIn'>
  readonly database: Database
  readonly clock: Clock
  readonly tokens: Pick<Tokens, 'sign'>
}

/** Signs a person in and opens a session: an access token for now, a refresh token to get the next one with. */
export const login =
  ({ users, database, clock, tokens }: Dependencies) =>
  async (credentials: Credentials, client: { ip: string; device: string }): Promise<SignedIn> => {
    const user = await users.signIn(credentials)
    const now = clock.now()
    const sessionId = uuidv7(now)
    const tokenId = uuidv7(now)
    const refreshToken = new Secret(randomBytes(32).toString('base64url'))
    await insertSession(database.query, {
      id: sessionId,
      userId: user.id,
      accessTokenId: tokenId,
      refreshTokenHash: createHash('sha256').update(refreshToken.reveal()).digest(),
      ipAddress: client.ip,
      device: client.device,
      loggedInAt: new Date(now),
      expiresAt: new Date(now + limits.refreshTokenSeconds * 1_000),
    })
    const { token } = await tokens.sign({
      kind: 'user',
      subject: user.id,
      tokenId,
      sessionId,
      issuedAtMs: now,
      lifetimeSeconds: limits.sessionAccessTokenSeconds,
      shown: { user: { id: user.id, username: user.username, email: user.email } },
    })
    return { userId: user.id, accessToken: token, refreshToken }
  }
