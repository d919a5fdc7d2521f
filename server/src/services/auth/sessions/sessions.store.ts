import { limits } from '@millseal/contract'
import { type Insertable, type Selectable, type SqlBool, sql, type Updateable } from 'kysely'
import type { Page } from '../../../http/page.ts'
import { anyOf } from '../../../ports/database/any-of.ts'
import { type Query } from '../../../ports/database/database.ts'
import type { DB } from '../../../ports/database/tables.ts'

/** The clocks of processes differ a little. */
const longestMs = (limits.refreshTokenSeconds + 60) * 1_000

type Sessions = DB['sessions']
export type StoredSession = Selectable<Sessions>

export const insertSession = async (query: Query, session: Insertable<Sessions>): Promise<void> => {
  await query.insertInto('sessions').values(session).execute()
}

export const findSession = (query: Query, id: string, now: Date): Promise<StoredSession | undefined> =>
  unexpired(query, id, now).executeTakeFirst()

/** The unexpired sessions of these ids, by id. */
export const findSessions = async (
  query: Query,
  ids: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, StoredSession>> => {
  const rows = await query
    .selectFrom('sessions')
    .selectAll()
    .where(sql<SqlBool>`id ${anyOf(ids)}`)
    .where(isUnexpired(now))
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** Locks the session until the transaction ends, so that of two refreshes the second sees the result of the first. */
export const lockSession = (tx: Query, id: string, now: Date): Promise<StoredSession | undefined> =>
  unexpired(tx, id, now).forUpdate().executeTakeFirst()

const unexpired = (query: Query, id: string, now: Date) =>
  query.selectFrom('sessions').selectAll().where('id', '=', id).where(isUnexpired(now))

/** A session whose end is further away than any new one was opened before the clock was set back. */
const isUnexpired = (now: Date) =>
  sql<SqlBool>`expires_at > ${now} and expires_at <= ${new Date(now.getTime() + longestMs)}`

export const updateSession = async (tx: Query, id: string, changes: Updateable<Sessions>): Promise<void> => {
  await tx.updateTable('sessions').set(changes).where('id', '=', id).execute()
}

/** Never shortens a session. */
export const extendSession = async (tx: Query, id: string, until: Date): Promise<void> => {
  await tx
    .updateTable('sessions')
    .set({ expiresAt: until })
    .where('id', '=', id)
    .where('expiresAt', '<', until)
    .execute()
}

export type SessionFilter = Page & {
  readonly userId: string
  readonly now: Date
  /** Sessions that began at this time or earlier have ended, except the kept one. */
  readonly validFrom: Date | null | undefined
  readonly keptId: string | null | undefined
}

/** Newest first. */
export const findSessionPage = (
  query: Query,
  { userId, now, validFrom, keptId, after, limit }: SessionFilter,
): Promise<StoredSession[]> => {
  let newest = query
    .selectFrom('sessions')
    .selectAll()
    .where('userId', '=', userId)
    .where(isUnexpired(now))
    .orderBy('id', 'desc')
    .limit(limit)
  if (validFrom) {
    newest = newest.where(({ eb, or }) =>
      or([eb('loggedInAt', '>', validFrom), eb('id', '=', keptId ?? null)]),
    )
  }
  if (after !== undefined) newest = newest.where('id', '<', after)
  return newest.execute()
}

/** Undefined if the session had ended before. */
export const deleteSession = (
  tx: Query,
  { id, userId }: { id: string; userId: string },
): Promise<StoredSession | undefined> =>
  tx
    .deleteFrom('sessions')
    .where('id', '=', id)
    .where('userId', '=', userId)
    .returningAll()
    .executeTakeFirst()

export const deleteSessionsOf = (tx: Query, userId: string): Promise<StoredSession[]> =>
  tx.deleteFrom('sessions').where('userId', '=', userId).returningAll().execute()

export const deleteExpiredSessions = async (query: Query, now: Date): Promise<void> => {
  await query.deleteFrom('sessions').where('expiresAt', '<=', now).execute()
}
