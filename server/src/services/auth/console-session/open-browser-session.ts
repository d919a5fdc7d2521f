import { randomBytes } from 'node:crypto'
import { limits } from '@millseal/contract'
import { Problem } from '../../../lib/problem.ts'
import { uuidv7 } from '../../../lib/uuid.ts'
import type { Audit } from '../../../ports/audit/audit.ts'
import type { Clock } from '../../../ports/clock/clock.ts'
import type { Database, Transaction } from '../../../ports/database/database.ts'
import type { Signer, UserService } from '../../user/index.ts'
import { isOpenFor } from '../sessions/session-end.ts'
import { deleteSession, insertSession, lockSession } from '../sessions/sessions.store.ts'
import { type BrowserSecret, hashOf, newBrowserSecret } from './browser-secret.ts'
import { extendSession, saveConsoleSession } from './console-sessions.store.ts'

export type SignedInUser = {
  readonly id: string
  readonly authenticatedAt: Date | undefined
  /** By our own password: then a password replaced since means that somebody else may have typed the old one. */
  readonly byPassword: boolean
}

type Client = { readonly ip: string; readonly device: string }

type Dependencies = {
  readonly users: Pick<UserService, 'findSigner' | 'lockCredentials'>
  readonly database: Database
  readonly clock: Clock
  readonly audit: Audit
}

/**
 * Gives the browser a session, always under a new cookie. Who signs in again goes on with the session there was, so that
 * a token shown in it lives on; somebody else's session of this browser ends.
 */
export const openBrowserSession =
  (deps: Dependencies) =>
  async (
    user: SignedInUser,
    { client, previousId }: { client: Client; previousId: string | undefined },
  ): Promise<BrowserSecret> => {
    const signer = await deps.users.findSigner(user.id)
    if (signer?.status !== 'active' || isOutdated(user, signer)) throw new Problem('link_invalid')
    const cookie = newBrowserSecret()
    await deps.database.transaction(async (tx) => {
      if (!(await deps.users.lockCredentials(tx, signer))) throw new Problem('link_invalid')
      const now = new Date(deps.clock.now())
      const expiresAt = new Date(now.getTime() + limits.consoleSession.seconds * 1_000)
      const goesOn = await goOnWith(tx, { previousId, signer, now })
      const sessionId = goesOn ?? (await insert(tx, { signer, client, now, expiresAt }))
      await extendSession(tx, sessionId, expiresAt)
      await saveConsoleSession(tx, {
        cookieHash: hashOf(cookie),
        sessionId,
        authenticatedAt: user.authenticatedAt,
        now,
        expiresAt,
      })
      await deps.audit.write(tx, {
        actor: `user:${signer.id}`,
        action: goesOn === undefined ? 'console.sign_in' : 'console.sign_in_again',
        subject: `session:${sessionId}`,
        ipAddress: client.ip,
        details: { by: user.byPassword ? 'password' : 'issuer' },
      })
    })
    return cookie
  }

const isOutdated = ({ byPassword, authenticatedAt }: SignedInUser, { sessionsValidFrom }: Signer): boolean =>
  byPassword &&
  (authenticatedAt === undefined || (sessionsValidFrom !== null && authenticatedAt <= sessionsValidFrom))

/** The session the browser had, if it is this user's and still counts; otherwise it is ended. */
const goOnWith = async (
  tx: Transaction,
  { previousId, signer, now }: { previousId: string | undefined; signer: Signer; now: Date },
): Promise<string | undefined> => {
  const previous = previousId === undefined ? undefined : await lockSession(tx, previousId, now)
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
}

/** Listed and ended like any other session; its refresh token is one that nobody can know. */
const insert = async (tx: Transaction, { signer, client, now, expiresAt }: NewSession): Promise<string> => {
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
  })
  return id
}
