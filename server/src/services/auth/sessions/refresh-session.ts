import { limits } from '@millseal/contract'
import { Problem } from '../../../lib/problem.ts'
import type { Secret } from '../../../lib/secret.ts'
import { uuidv7 } from '../../../lib/uuid.ts'
import type { Audit } from '../../../ports/audit/audit.ts'
import type { Clock } from '../../../ports/clock/clock.ts'
import type { Database, Transaction } from '../../../ports/database/database.ts'
import type { UserService } from '../../user/index.ts'
import {
  isSameHash,
  newSuccessorSalt,
  type ReadRefreshToken,
  readRefreshToken,
  successorOf,
} from './refresh-token.ts'
import { isOpenFor } from './session-end.ts'
import { signSessionToken } from './session-token.ts'
import {
  deleteSession,
  findSession,
  lockSession,
  saveAccessTokenId,
  saveRotation,
  type StoredSession,
} from './sessions.store.ts'
import type { Tokens } from '../application-tokens/tokens.ts'

export type Client = { readonly ip: string; readonly device: string }

export type Refreshed = {
  readonly userId: string
  readonly accessToken: Secret
  readonly refreshToken: Secret
  /** Until the session ends, however often it is refreshed. */
  readonly refreshSeconds: number
}

type Dependencies = {
  readonly users: Pick<UserService, 'findSigner' | 'notify'>
  readonly database: Database
  readonly clock: Clock
  readonly audit: Audit
  readonly tokens: Pick<Tokens, 'sign'>
}

type Attempt = {
  readonly presented: Secret
  readonly read: ReadRefreshToken
  readonly client: Client
  readonly tokenId: string
}

/** A refresh token is good once: each use replaces it, and one that was replaced and comes back ends the session. */
export const refreshSession =
  (deps: Dependencies) =>
  async (presented: Secret, client: Client): Promise<Refreshed> => {
    const nowMs = deps.clock.now()
    const read = readRefreshToken(presented)
    const session = read && (await findSession(deps.database.query, read.sessionId, new Date(nowMs)))
    const user = session && (await deps.users.findSigner(session.userId))
    if (read === undefined || session === undefined || !isOpenFor(session, user)) throw refused()
    const tokenId = uuidv7(nowMs)
    const refreshToken = await deps.database.transaction((tx) =>
      takeTurn(deps, tx, { presented, read, client, tokenId }),
    )
    if (refreshToken === undefined) throw refused()
    return {
      userId: user.id,
      accessToken: await signSessionToken(deps.tokens, { user, sessionId: session.id, tokenId, nowMs }),
      refreshToken,
      refreshSeconds: Math.max(0, Math.floor((session.expiresAt.getTime() - nowMs) / 1_000)),
    }
  }

const refused = (): Problem =>
  new Problem('token_invalid', { details: ['The refresh token is not valid any more: sign in again'] })

/** The next refresh token, or nothing where there is none to have; then nothing may be thrown, or the end is undone. */
const takeTurn = async (
  deps: Dependencies,
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
    await endStolen(deps, tx, session, client)
    return undefined
  }
  const successor = successorOf(presented, salt)
  if (!isSameHash(successor.tokenHash, session.refreshTokenHash)) {
    await saveRotation(tx, {
      id: session.id,
      refreshTokenHash: successor.tokenHash,
      replacedTokenHash: read.tokenHash,
      salt,
      at: now,
      ipAddress: client.ip,
      device: client.device,
    })
  }
  await saveAccessTokenId(tx, session.id, tokenId)
  return successor.token
}

/**
 * Two tabs refresh at once, or an answer gets lost: the same client gets the same successor again for a few seconds,
 * because refusing it would sign an honest person out. From anywhere else a second use is a theft at once.
 */
const repeatableSalt = (
  { replacement, ipAddress, device }: StoredSession,
  { tokenHash }: ReadRefreshToken,
  client: Client,
  now: Date,
): Uint8Array | undefined => {
  if (replacement === undefined || !isSameHash(replacement.tokenHash, tokenHash)) return undefined
  const isSameClient = ipAddress === client.ip && device === client.device
  const isSoon = now.getTime() - replacement.at.getTime() <= limits.refreshGraceSeconds * 1_000
  return isSameClient && isSoon ? replacement.salt : undefined
}

const endStolen = async (
  { users, audit }: Dependencies,
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
