import { limits } from '@millseal/contract'
import { Problem } from '../../../lib/problem.ts'
import type { Secret } from '../../../lib/secret.ts'
import { uuidv7 } from '../../../lib/uuid.ts'
import type { AuthenticatedUser, Factor } from '../../user/index.ts'
import type { AuthDependencies } from '../dependencies.ts'
import { newRefreshToken } from './refresh-token.ts'
import { signSessionToken } from './session-token.ts'
import { insertSession } from './sessions.store.ts'
import { byFirstFactor, withFactor } from './strength.ts'

export type Client = { readonly ip: string; readonly device: string }

/**
 * Opens a session for a user whose credentials were just checked. Throws if the password was replaced since then: its
 * new owner expects all earlier sessions to have ended.
 */
export const openSession = async (
  deps: AuthDependencies,
  user: AuthenticatedUser & { readonly factor: Factor | undefined },
  client: Client,
): Promise<{ readonly accessToken: Secret; readonly refreshToken: Secret }> => {
  const { users, database, clock } = deps
  const { refreshToken, ...opened } = await database.transaction(async (tx) => {
    if (!(await users.lockCredentials(tx, user))) throw new Problem('credentials_wrong')
    const nowMs = clock.now()
    const sessionId = uuidv7(nowMs)
    const tokenId = uuidv7(nowMs)
    const { token, tokenHash, familyHash } = newRefreshToken(sessionId)
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
      ...withFactor(byFirstFactor('pwd'), user.factor, new Date(nowMs)),
    })
    return { sessionId, tokenId, nowMs, refreshToken: token }
  })
  return { accessToken: await signSessionToken(deps, { ...opened, user }), refreshToken }
}
