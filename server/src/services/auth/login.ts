import { createHash, randomBytes } from 'node:crypto'
import { limits } from '@millseal/contract'
import { Problem } from '../../lib/problem.ts'
import { Secret } from '../../lib/secret.ts'
import { uuidv7 } from '../../lib/uuid.ts'
import type { Clock } from '../../ports/clock/clock.ts'
import type { Database } from '../../ports/database/database.ts'
import type { UserRoom } from '../user/index.ts'
import type { TokenUser } from './access-token.ts'
import { insertSession } from './sessions.store.ts'

export type SignedIn = {
  readonly userId: string
  readonly accessToken: Secret
  readonly refreshToken: Secret
}

type Dependencies = {
  readonly users: Pick<UserRoom, 'signIn'>
  readonly database: Database
  readonly clock: Clock
  readonly sign: (user: TokenUser, tokenId: string) => Promise<Secret>
}

/** Whether the name or the password was wrong is told to nobody; the state of an account only to who knows its password. */
export const login =
  ({ users, database, clock, sign }: Dependencies) =>
  async (name: string, password: Secret, client: { ip: string; device: string }): Promise<SignedIn> => {
    const user = await users.signIn(name, password)
    if (user === undefined || user.status !== 'active') throw new Problem('credentials_wrong')
    if (!user.emailConfirmed) throw new Problem('email_unconfirmed')
    const now = clock.now()
    const tokenId = uuidv7(now)
    const refreshToken = new Secret(randomBytes(32).toString('base64url'))
    await insertSession(database.query, {
      id: uuidv7(now),
      userId: user.id,
      accessTokenId: tokenId,
      refreshTokenHash: createHash('sha256').update(refreshToken.reveal()).digest(),
      ipAddress: client.ip,
      device: client.device,
      loggedInAt: new Date(now),
      expiresAt: new Date(now + limits.refreshTokenSeconds * 1_000),
    })
    return { userId: user.id, accessToken: await sign(user, tokenId), refreshToken }
  }
