import type { Query } from '../../ports/database/database.ts'

export type StoredSession = {
  readonly id: string
  readonly userId: string
  readonly accessTokenId: string
  readonly refreshTokenHash: Uint8Array
  readonly ipAddress: string
  readonly device: string
  readonly loggedInAt: Date
  readonly expiresAt: Date
}

type SessionTables = {
  sessions: {
    id: string
    user_id: string
    access_token_id: string
    refresh_token_hash: Uint8Array
    ip_address: string
    device: string
    logged_in_at: Date
    expires_at: Date
  }
}

export const insertSession = async (query: Query, session: StoredSession): Promise<void> => {
  await query
    .withTables<SessionTables>()
    .insertInto('sessions')
    .values({
      id: session.id,
      user_id: session.userId,
      access_token_id: session.accessTokenId,
      refresh_token_hash: session.refreshTokenHash,
      ip_address: session.ipAddress,
      device: session.device,
      logged_in_at: session.loggedInAt,
      expires_at: session.expiresAt,
    })
    .execute()
}

export const findSession = async (
  query: Query,
  id: string,
  now: Date,
): Promise<StoredSession | undefined> => {
  const row = await query
    .withTables<SessionTables>()
    .selectFrom('sessions')
    .selectAll()
    .where('id', '=', id)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row === undefined ? undefined : toSession(row)
}

export const deleteExpiredSessions = async (query: Query, now: Date): Promise<void> => {
  await query.withTables<SessionTables>().deleteFrom('sessions').where('expires_at', '<=', now).execute()
}

const toSession = (row: SessionTables['sessions']): StoredSession => ({
  id: row.id,
  userId: row.user_id,
  accessTokenId: row.access_token_id,
  refreshTokenHash: row.refresh_token_hash,
  ipAddress: row.ip_address,
  device: row.device,
  loggedInAt: row.logged_in_at,
  expiresAt: row.expires_at,
})
