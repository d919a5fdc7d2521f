import type { Insertable, Selectable } from 'kysely'
import { type Query } from '../../../ports/database/database.ts'
import type { UserLinks } from '../../../ports/database/tables.ts'

export type StoredLink = Selectable<UserLinks>
export type LinkPurpose = StoredLink['purpose']

export const insertLink = async (query: Query, link: Insertable<UserLinks>): Promise<void> => {
  await query.insertInto('userLinks').values(link).execute()
}

export const findLink = (
  query: Query,
  { tokenHash, purposes }: { tokenHash: Uint8Array; purposes: readonly LinkPurpose[] },
  now: Date,
): Promise<StoredLink | undefined> =>
  query
    .selectFrom('userLinks')
    .selectAll()
    .where('tokenHash', '=', tokenHash)
    .where('purpose', 'in', purposes)
    .where('expiresAt', '>', now)
    .executeTakeFirst()

/** Of those that are neither used nor expired. */
export const countLinksSince = async (
  query: Query,
  { userId, purpose, since }: { userId: string; purpose: LinkPurpose; since: Date },
): Promise<number> => {
  const { count } = await query
    .selectFrom('userLinks')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('userId', '=', userId)
    .where('purpose', '=', purpose)
    .where('createdAt', '>', since)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Includes unused links: they were made for a state of the account that no longer exists. */
export const deleteLinksOf = async (
  tx: Query,
  userId: string,
  purposes: readonly LinkPurpose[],
): Promise<void> => {
  await tx.deleteFrom('userLinks').where('userId', '=', userId).where('purpose', 'in', purposes).execute()
}

export const deleteExpiredLinks = async (query: Query, now: Date): Promise<void> => {
  await query.deleteFrom('userLinks').where('expiresAt', '<=', now).execute()
}
