import { sql } from 'kysely'
import type { Query } from '../../../ports/database/database.ts'

type IssuerTables = {
  user_issuers: { issuer: string; subject: string; user_id: string; created_at: Date }
}

/** Two first meetings with the same person must not make two users of them. */
export const lockSubject = async (
  tx: Query,
  { issuer, subject }: { issuer: string; subject: string },
): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${issuer}\n${subject}`}, 0))`.execute(tx)
}

export const findUserIdOfSubject = async (
  tx: Query,
  { issuer, subject }: { issuer: string; subject: string },
): Promise<string | undefined> => {
  const row = await tx
    .withTables<IssuerTables>()
    .selectFrom('user_issuers')
    .select('user_id')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
  return row?.user_id
}

/** False when the user is somebody else at this issuer already. */
export const insertIssuerLink = async (
  tx: Query,
  { issuer, subject, userId }: { issuer: string; subject: string; userId: string },
  now: Date,
): Promise<boolean> => {
  const row = await tx
    .withTables<IssuerTables>()
    .insertInto('user_issuers')
    .values({ issuer, subject, user_id: userId, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_id')
    .executeTakeFirst()
  return row !== undefined
}
