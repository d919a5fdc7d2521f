import { type AnswerOf, limits, type operations } from '@millseal/contract'
import { because } from '@millseal/contract/reasons'
import type { Call } from '../../../http/binding.ts'
import { Problem } from '../../../lib/problem.ts'
import type { Secret } from '../../../lib/secret.ts'
import { uuidv7 } from '../../../lib/uuid.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import type { AuthDependencies } from '../dependencies.ts'
import type { Client } from './open-session.ts'
import {
  isSameHash,
  newSuccessorSalt,
  type ReadRefreshToken,
  readRefreshToken,
  successorOf,
} from './refresh-token.ts'
import { sessionCookies } from './session-cookies.ts'
import { isOpenFor } from './session-end.ts'
import { signSessionToken } from './session-token.ts'
import {
  deleteSession,
  findSession,
  lockSession,
  type StoredSession,
  updateSession,
} from './sessions.store.ts'

type Attempt = {
  readonly presented: Secret
  readonly read: ReadRefreshToken
  readonly client: Client
  readonly tokenId: string
}

/** A refresh token can be used once: each use replaces it, and using a replaced one ends the session. */
export const refreshSession = async (
  deps: AuthDependencies,
  { refreshToken: presented, client, header }: Call<typeof operations.refreshSession>,
): Promise<AnswerOf<typeof operations.refreshSession>> => {
  const nowMs = deps.clock.now()
  const read = readRefreshToken(presented)
  const session = read && (await findSession(deps.database.query, read.sessionId, new Date(nowMs)))
  const user = session && (await deps.users.findSigner(session.userId))
  if (read === undefined || session === undefined || !isOpenFor(session, user)) throw rejected()
  const tokenId = uuidv7(nowMs)
  const refreshToken = await deps.database.transaction((tx) =>
    rotate(deps, tx, { presented, read, client, tokenId }),
  )
  if (refreshToken === undefined) throw rejected()
  const accessToken = await signSessionToken(deps, { user, sessionId: session.id, tokenId, nowMs })
  const refreshSeconds = Math.max(0, Math.floor((session.expiresAt.getTime() - nowMs) / 1_000))
  header(
    'set-cookie',
    sessionCookies({ accessToken, refreshToken, refreshSeconds, publicUrl: deps.publicUrl() }),
  )
  return { userId: user.id, accessToken: accessToken.reveal(), refreshToken: refreshToken.reveal() }
}

const rejected = (): Problem => new Problem('token_invalid', { reasons: [because('refresh_token_is_spent')] })

/**
 * Returns the next refresh token. Returns undefined, and does not throw, if the token is rejected: an error would roll
 * the end of the session back.
 */
const rotate = async (
  deps: AuthDependencies,
  tx: Transaction,
  { presented, read, client, tokenId }: Attempt,
): Promise<Secret | undefined> => {
  const now = new Date(deps.clock.now())
  const session = await lockSession(tx, read.sessionId, now)
  if (session === undefined || !isSameHash(session.refreshFamilyHash, read.familyHash)) return undefined
  const salt = isSameHash(session.refreshTokenHash, read.tokenHash)
    ? newSuccessorSalt()
    : repeatableSalt(session, read, client, now)
  if (salt === undefined) {
    await endStolenSession(deps, tx, session, client)
    return undefined
  }
  const successor = successorOf(presented, salt)
  if (!isSameHash(successor.tokenHash, session.refreshTokenHash)) {
    await updateSession(tx, session.id, {
      refreshTokenHash: successor.tokenHash,
      replacedTokenHash: read.tokenHash,
      successorSalt: salt,
      refreshedAt: now,
      ipAddress: client.ip,
      device: client.device,
    })
  }
  await updateSession(tx, session.id, { accessTokenId: tokenId })
  return successor.token
}

/**
 * Two tabs may refresh at once, and answers get lost. For a few seconds the same client therefore gets the same successor
 * again. From any other client, a second use counts as theft at once.
 */
const repeatableSalt = (
  { replacedTokenHash, successorSalt, refreshedAt, ipAddress, device }: StoredSession,
  { tokenHash }: ReadRefreshToken,
  client: Client,
  now: Date,
): Uint8Array | undefined => {
  if (replacedTokenHash === null || successorSalt === null || refreshedAt === null) return undefined
  if (!isSameHash(replacedTokenHash, tokenHash)) return undefined
  const isSameClient = ipAddress === client.ip && device === client.device
  const isSoon = now.getTime() - refreshedAt.getTime() <= limits.refreshGraceSeconds * 1_000
  return isSameClient && isSoon ? successorSalt : undefined
}

const endStolenSession = async (
  { users, audit }: AuthDependencies,
  tx: Transaction,
  session: StoredSession,
  client: Client,
): Promise<void> => {
  await deleteSession(tx, session)
  await users.notify(tx, { userId: session.userId, notice: 'sessions_ended' })
  await audit.write(tx, {
    actor: `ip:${client.ip}`,
    action: 'auth.refresh',
    subject: `session:${session.id}`,
    ipAddress: client.ip,
    details: { outcome: 'ended', reason: 'a replaced refresh token came back', userId: session.userId },
  })
}
