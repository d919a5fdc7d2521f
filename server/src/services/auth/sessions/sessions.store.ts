import { type SqlBool, sql } from 'kysely'
import type { Query } from '../../../ports/database/database.ts'

export type StoredSession = {
  readonly id: string
  readonly userId: string
  readonly accessTokenId: string
  readonly refreshTokenHash: Uint8Array
  readonly refreshFamilyHash: Uint8Array
  /** How the newest refresh token came about; missing until the first was replaced. */
  readonly replacement:
    | { readonly tokenHash: Uint8Array; readonly salt: Uint8Array; readonly at: Date }
    | undefined
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
    refresh_family_hash: Uint8Array
    replaced_token_hash: Uint8Array | null
    successor_salt: Uint8Array | null
    refreshed_at: Date | null
    ip_address: string
    device: string
    logged_in_at: Date
    expires_at: Date
  }
}

export type NewSession = Omit<StoredSession, 'replacement'>

export const insertSession = async (query: Query, session: NewSession): Promise<void> => {
  await query
    .withTables<SessionTables>()
    .insertInto('sessions')
    .values({
      id: session.id,
      user_id: session.userId,
      access_token_id: session.accessTokenId,
      refresh_token_hash: session.refreshTokenHash,
      refresh_family_hash: session.refreshFamilyHash,
      replaced_token_hash: null,
      successor_salt: null,
      refreshed_at: null,
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
  const row = await sessionRow(query, id, now).executeTakeFirst()
  return row === undefined ? undefined : toSession(row)
}

/** Those of these that are open still, by id. */
export const findSessions = async (
  query: Query,
  ids: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, StoredSession>> => {
  const rows = await query
    .withTables<SessionTables>()
    .selectFrom('sessions')
    .selectAll()
    .where(sql<SqlBool>`id = any(${ids}::uuid[])`)
    .where('expires_at', '>', now)
    .execute()
  return new Map(rows.map((row) => [row.id, toSession(row)]))
}

/** Held until the transaction ends, so that of two refreshes the second sees what the first did. */
export const lockSession = async (tx: Query, id: string, now: Date): Promise<StoredSession | undefined> => {
  const row = await sessionRow(tx, id, now).forUpdate().executeTakeFirst()
  return row === undefined ? undefined : toSession(row)
}

export type Rotation = {
  readonly id: string
  readonly refreshTokenHash: Uint8Array
  readonly replacedTokenHash: Uint8Array
  readonly salt: Uint8Array
  readonly at: Date
  readonly ipAddress: string
  readonly device: string
}

export const saveRotation = async (tx: Query, rotation: Rotation): Promise<void> => {
  await tx
    .withTables<SessionTables>()
    .updateTable('sessions')
    .set({
      refresh_token_hash: rotation.refreshTokenHash,
      replaced_token_hash: rotation.replacedTokenHash,
      successor_salt: rotation.salt,
      refreshed_at: rotation.at,
      ip_address: rotation.ipAddress,
      device: rotation.device,
    })
    .where('id', '=', rotation.id)
    .execute()
}

export const saveAccessTokenId = async (tx: Query, id: string, tokenId: string): Promise<void> => {
  await tx
    .withTables<SessionTables>()
    .updateTable('sessions')
    .set({ access_token_id: tokenId })
    .where('id', '=', id)
    .execute()
}

export type SessionFilter = {
  readonly userId: string
  readonly now: Date
  /** Sessions of then or before have ended, but for the one kept. */
  readonly validFrom: Date | undefined
  readonly keptId: string | undefined
  readonly after: string | undefined
  readonly limit: number
}

/** Newest first. */
export const findSessionPage = async (
  query: Query,
  { userId, now, validFrom, keptId, after, limit }: SessionFilter,
): Promise<StoredSession[]> => {
  const rows = await query
    .withTables<SessionTables>()
    .selectFrom('sessions')
    .selectAll()
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .$if(validFrom !== undefined, (some) =>
      some.where(({ eb, or }) =>
        or([eb('logged_in_at', '>', validFrom ?? now), eb('id', '=', keptId ?? null)]),
      ),
    )
    .$if(after !== undefined, (some) => some.where('id', '<', after ?? null))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toSession)
}

/** The session that was there to end. */
export const deleteSession = async (
  tx: Query,
  { id, userId }: { id: string; userId: string },
): Promise<StoredSession | undefined> => {
  const row = await tx
    .withTables<SessionTables>()
    .deleteFrom('sessions')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returningAll()
    .executeTakeFirst()
  return row === undefined ? undefined : toSession(row)
}

export const deleteSessionsOf = async (tx: Query, userId: string): Promise<StoredSession[]> => {
  const rows = await tx
    .withTables<SessionTables>()
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .returningAll()
    .execute()
  return rows.map(toSession)
}

export const deleteExpiredSessions = async (query: Query, now: Date): Promise<void> => {
  await query.withTables<SessionTables>().deleteFrom('sessions').where('expires_at', '<=', now).execute()
}

const sessionRow = (query: Query, id: string, now: Date) =>
  query
    .withTables<SessionTables>()
    .selectFrom('sessions')
    .selectAll()
    .where('id', '=', id)
    .where('expires_at', '>', now)

const toSession = (row: SessionTables['sessions']): StoredSession => ({
  id: row.id,
  userId: row.user_id,
  accessTokenId: row.access_token_id,
  refreshTokenHash: row.refresh_token_hash,
  refreshFamilyHash: row.refresh_family_hash,
  replacement:
    row.replaced_token_hash === null || row.successor_salt === null || row.refreshed_at === null
      ? undefined
      : { tokenHash: row.replaced_token_hash, salt: row.successor_salt, at: row.refreshed_at },
  ipAddress: row.ip_address,
  device: row.device,
  loggedInAt: row.logged_in_at,
  expiresAt: row.expires_at,
})
