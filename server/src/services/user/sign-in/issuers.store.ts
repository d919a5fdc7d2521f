import { type Insertable, sql } from 'kysely'
import { type Query } from '../../../ports/database/database.ts'
import type { UserIssuers } from '../../../ports/database/tables.ts'

type Subject = { readonly issuer: string; readonly subject: string }

/** Prevents two concurrent first sign-ins of one person from creating two users. */
export const lockSubject = async (tx: Query, { issuer, subject }: Subject): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${issuer}\n${subject}`}, 0))`.execute(tx)
}

export const findUserIdOfSubject = async (
  tx: Query,
  { issuer, subject }: Subject,
): Promise<string | undefined> => {
  const row = await tx
    .selectFrom('userIssuers')
    .select('userId')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
  return row?.userId
}

/** False if the user is already linked to another subject of this issuer. */
export const insertIssuerLink = async (tx: Query, link: Insertable<UserIssuers>): Promise<boolean> => {
  const row = await tx
    .insertInto('userIssuers')
    .values(link)
    .onConflict((conflict) => conflict.doNothing())
    .returning('userId')
    .executeTakeFirst()
  return row !== undefined
}
