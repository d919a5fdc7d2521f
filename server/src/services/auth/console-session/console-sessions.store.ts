import { limits } from '@millseal/contract'
import type { Selectable } from 'kysely'
import { type Query } from '../../../ports/database/database.ts'
import type { DB } from '../../../ports/database/tables.ts'

/** One whose end is further away was opened before the clock was set back; the clocks of processes differ a little. */
const longestMs = (limits.consoleSession.seconds + 60) * 1_000

export const findConsoleSession = (
  query: Query,
  cookieHash: Uint8Array,
  { now, seenAfter }: { now: Date; seenAfter: Date },
) =>
  query
    .selectFrom('consoleSessions as c')
    .innerJoin('sessions as s', 's.id', 'c.sessionId')
    .select(['c.sessionId', 's.userId', 's.accessTokenId', 'c.authenticatedAt', 'c.lastSeenAt'])
    .where('c.cookieHash', '=', cookieHash)
    .where('c.expiresAt', '>', now)
    .where('c.expiresAt', '<=', new Date(now.getTime() + longestMs))
    .where('c.lastSeenAt', '>', seenAfter)
    .executeTakeFirst()

/** A session has one valid cookie: the latest. */
export const saveConsoleSession = async (
  tx: Query,
  { sessionId, ...row }: Selectable<DB['consoleSessions']>,
): Promise<void> => {
  await tx
    .insertInto('consoleSessions')
    .values({ sessionId, ...row })
    .onConflict((conflict) => conflict.column('sessionId').doUpdateSet(row))
    .execute()
}

export const saveLastSeen = async (query: Query, sessionId: string, now: Date): Promise<void> => {
  await query
    .updateTable('consoleSessions')
    .set({ lastSeenAt: now })
    .where('sessionId', '=', sessionId)
    .execute()
}

export const deleteExpiredConsoleSessions = async (query: Query, now: Date): Promise<void> => {
  await query.deleteFrom('consoleSessions').where('expiresAt', '<=', now).execute()
}
