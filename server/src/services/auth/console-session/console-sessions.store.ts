import type { Query } from '../../../ports/database/database.ts'

export type ConsoleSession = {
  readonly sessionId: string
  readonly userId: string
  readonly accessTokenId: string
  readonly authenticatedAt: Date | undefined
  readonly lastSeenAt: Date
}

type ConsoleTables = {
  console_sessions: {
    cookie_hash: Uint8Array
    session_id: string
    authenticated_at: Date | null
    last_seen_at: Date
    expires_at: Date
  }
  sessions: { id: string; user_id: string; access_token_id: string; expires_at: Date }
}

export const findConsoleSession = async (
  query: Query,
  cookieHash: Uint8Array,
  { now, seenAfter }: { now: Date; seenAfter: Date },
): Promise<ConsoleSession | undefined> => {
  const row = await query
    .withTables<ConsoleTables>()
    .selectFrom('console_sessions as c')
    .innerJoin('sessions as s', 's.id', 'c.session_id')
    .select(['c.session_id', 's.user_id', 's.access_token_id', 'c.authenticated_at', 'c.last_seen_at'])
    .where('c.cookie_hash', '=', cookieHash)
    .where('c.expires_at', '>', now)
    .where('c.last_seen_at', '>', seenAfter)
    .executeTakeFirst()
  if (row === undefined) return undefined
  return {
    sessionId: row.session_id,
    userId: row.user_id,
    accessTokenId: row.access_token_id,
    authenticatedAt: row.authenticated_at ?? undefined,
    lastSeenAt: row.last_seen_at,
  }
}

/** A session has one cookie: the one given last. */
export const saveConsoleSession = async (
  tx: Query,
  session: {
    readonly cookieHash: Uint8Array
    readonly sessionId: string
    readonly authenticatedAt: Date | undefined
    readonly now: Date
    readonly expiresAt: Date
  },
): Promise<void> => {
  const row = {
    cookie_hash: session.cookieHash,
    authenticated_at: session.authenticatedAt ?? null,
    last_seen_at: session.now,
    expires_at: session.expiresAt,
  }
  await tx
    .withTables<ConsoleTables>()
    .insertInto('console_sessions')
    .values({ session_id: session.sessionId, ...row })
    .onConflict((conflict) => conflict.column('session_id').doUpdateSet(row))
    .execute()
}

export const saveLastSeen = async (query: Query, sessionId: string, now: Date): Promise<void> => {
  await query
    .withTables<ConsoleTables>()
    .updateTable('console_sessions')
    .set({ last_seen_at: now })
    .where('session_id', '=', sessionId)
    .execute()
}

/** Never sooner than it would have ended anyway. */
export const extendSession = async (tx: Query, id: string, until: Date): Promise<void> => {
  await tx
    .withTables<ConsoleTables>()
    .updateTable('sessions')
    .set({ expires_at: until })
    .where('id', '=', id)
    .where('expires_at', '<', until)
    .execute()
}

export const deleteExpiredConsoleSessions = async (query: Query, now: Date): Promise<void> => {
  await query
    .withTables<ConsoleTables>()
    .deleteFrom('console_sessions')
    .where('expires_at', '<=', now)
    .execute()
}
