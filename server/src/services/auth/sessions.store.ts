import type { Query } from '../../ports/database/database.ts'

export type NewSession = {
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

export const insertSession = async (query: Query, session: NewSession): Promise<void> => {
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

export const deleteExpiredSessions = async (query: Query, now: Date): Promise<void> => {
  await query.withTables<SessionTables>().deleteFrom('sessions').where('expires_at', '<=', now).execute()
}
