import { limits } from '@millseal/contract'
import { Problem } from '../../../lib/problem.ts'
import type { Secret } from '../../../lib/secret.ts'
import { uuidv7 } from '../../../lib/uuid.ts'
import type { Clock } from '../../../ports/clock/clock.ts'
import type { Database } from '../../../ports/database/database.ts'
import type { AuthenticatedUser, UserService } from '../../user/index.ts'
import { newRefreshToken } from './refresh-token.ts'
import { signSessionToken } from './session-token.ts'
import { insertSession } from './sessions.store.ts'
import type { Tokens } from '../application-tokens/tokens.ts'

export type SignedIn = {
  readonly userId: string
  readonly sessionId: string
  readonly accessToken: Secret
  readonly refreshToken: Secret
}

export type OpenSession = (
  user: AuthenticatedUser,
  client: { readonly ip: string; readonly device: string },
) => Promise<SignedIn>

type Dependencies = {
  readonly users: Pick<UserService, 'lockCredentials'>
  readonly database: Database
  readonly clock: Clock
  readonly tokens: Pick<Tokens, 'sign'>
}

/**
 * Opens the session of a user whose credentials were just checked. A password that was replaced since then opens none:
 * its new owner believes that all sessions have ended.
 */
export const openSession =
  ({ users, database, clock, tokens }: Dependencies): OpenSession =>
  async (user, client) => {
    const opened = await database.transaction(async (tx) => {
      if (!(await users.lockCredentials(tx, user))) throw new Problem('credentials_wrong')
      const nowMs = clock.now()
      const sessionId = uuidv7(nowMs)
      const tokenId = uuidv7(nowMs)
      const { token: refreshToken, tokenHash, familyHash } = newRefreshToken(sessionId)
      await insertSession(tx, {
        id: sessionId,
        userId: user.id,
        accessTokenId: tokenId,
        refreshTokenHash: tokenHash,
        refreshFamilyHash: familyHash,
        ipAddress: client.ip,
        device: client.device,
        loggedInAt: new Date(nowMs),
        expiresAt: new Date(nowMs + limits.refreshTokenSeconds * 1_000),
      })
      return { sessionId, tokenId, refreshToken, nowMs }
    })
    const accessToken = await signSessionToken(tokens, { ...opened, user })
    const { sessionId, refreshToken } = opened
    return { userId: user.id, sessionId, accessToken, refreshToken }
  }
