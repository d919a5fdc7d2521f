import { randomBytes } from 'node:crypto'
import { limits } from '@millseal/contract'
import { Problem } from '../../../lib/problem.ts'
import { uuidv7 } from '../../../lib/uuid.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import type { Signer } from '../../user/index.ts'
import type { AuthDependencies } from '../dependencies.ts'
import type { Client } from '../sessions/open-session.ts'
import { isOpenFor } from '../sessions/session-end.ts'
import {
  deleteSession,
  extendSession,
  insertSession,
  lockSession,
  updateSession,
} from '../sessions/sessions.store.ts'
import { acrOf, type Strength } from '../sessions/strength.ts'
import { type BrowserSecret, hashOf, newBrowserSecret } from '../sessions/browser-secret.ts'
import { saveConsoleSession } from './console-sessions.store.ts'

export type SignedInUser = {
  readonly id: string
  readonly authenticatedAt: Date | undefined
  /**
   * True if this server checked the password or the passkey. If the password or a factor changed since then, someone else
   * may have signed in.
   */
  readonly checkedHere: boolean
  readonly strength: Strength
}

/**
 * Gives the browser a session, always under a new cookie. A user who signs in again continues the existing session, so a
 * token shown in it stays valid. A session of another user in this browser ends.
 */
export const openBrowserSession = async (
  deps: AuthDependencies,
  user: SignedInUser,
  { client, previousId }: { readonly client: Client; readonly previousId: string | null },
): Promise<BrowserSecret> => {
  const signer = await deps.users.findSigner(user.id)
  if (signer?.status !== 'active' || isOutdated(user, signer, deps.clock.now()))
    throw new Problem('link_invalid')
  const cookie = newBrowserSecret()
  await deps.database.transaction(async (tx) => {
    if (!(await deps.users.lockCredentials(tx, signer))) throw new Problem('link_invalid')
    const now = new Date(deps.clock.now())
    const expiresAt = new Date(now.getTime() + limits.consoleSession.seconds * 1_000)
    const continued = await continueSession(tx, { previousId, signer, now })
    const { strength } = user
    const sessionId = continued ?? (await insert(tx, { signer, client, now, expiresAt, strength }))
    if (continued !== undefined) await updateSession(tx, continued, strength)
    await extendSession(tx, sessionId, expiresAt)
    await saveConsoleSession(tx, {
      cookieHash: hashOf(cookie),
      sessionId,
      authenticatedAt: user.authenticatedAt ?? null,
      lastSeenAt: now,
      expiresAt,
    })
    await deps.audit.write(tx, {
      actor: `user:${signer.id}`,
      action: continued === undefined ? 'console.sign_in' : 'console.sign_in_again',
      subject: `session:${sessionId}`,
      ipAddress: client.ip,
      details: { by: firstMethod(user), acr: acrOf(strength) },
    })
  })
  return cookie
}

const firstMethod = ({ checkedHere, strength }: SignedInUser): string => {
  if (!checkedHere) return 'issuer'
  return strength.amr.includes('pwd') ? 'password' : 'passkey'
}

/** A new password of before the clock was set back lies ahead: it says nothing about the order. */
const isOutdated = (
  { checkedHere, authenticatedAt }: SignedInUser,
  { sessionsValidFrom }: Signer,
  nowMs: number,
): boolean => {
  if (!checkedHere) return false
  if (authenticatedAt === undefined) return true
  const isPast = sessionsValidFrom !== null && sessionsValidFrom.getTime() <= nowMs
  return isPast && authenticatedAt <= sessionsValidFrom
}

/** Returns the previous session of the browser if this user may continue it, and ends it otherwise. */
const continueSession = async (
  tx: Transaction,
  { previousId, signer, now }: { previousId: string | null; signer: Signer; now: Date },
): Promise<string | undefined> => {
  const previous = previousId === null ? undefined : await lockSession(tx, previousId, now)
  if (previous === undefined) return undefined
  if (isOpenFor(previous, signer)) return previous.id
  await deleteSession(tx, previous)
  return undefined
}

type NewSession = {
  readonly signer: Signer
  readonly client: Client
  readonly now: Date
  readonly expiresAt: Date
  readonly strength: Strength
}

/** Inserts a session that is listed and ended like any other. Its random hashes match no refresh token. */
const insert = async (
  tx: Transaction,
  { signer, client, now, expiresAt, strength }: NewSession,
): Promise<string> => {
  const id = uuidv7(now.getTime())
  await insertSession(tx, {
    id,
    userId: signer.id,
    accessTokenId: uuidv7(now.getTime()),
    refreshTokenHash: randomBytes(32),
    refreshFamilyHash: randomBytes(32),
    ipAddress: client.ip,
    device: client.device,
    loggedInAt: now,
    expiresAt,
    ...strength,
  })
  return id
}
