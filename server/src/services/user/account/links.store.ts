import type { Insertable, Selectable } from 'kysely'
import { type Query, tables } from '../../../ports/database/database.ts'
import type { UserLinks } from '../../../ports/database/tables.ts'

export type StoredLink = Selectable<UserLinks>
export type LinkPurpose = StoredLink['purpose']

export const insertLink = async (query: Query, link: Insertable<UserLinks>): Promise<void> => {
  await tables(query).insertInto('userLinks').values(link).execute()
}

export const findLink = (
  query: Query,
  { tokenHash, purposes }: { tokenHash: Uint8Array; purposes: readonly LinkPurpose[] },
  now: Date,
): Promise<StoredLink | undefined> =>
  tables(query)
    .selectFrom('userLinks')
    .selectAll()
    .where('tokenHash', '=', tokenHash)
    .where('purpose', 'in', purposes)
    .where('expiresAt', '>', now)
    .executeTakeFirst()

/** Includes unused links: they were made for a state of the account that no longer exists. */
export const deleteLinksOf = async (
  tx: Query,
  userId: string,
  purposes: readonly LinkPurpose[],
): Promise<void> => {
  await tables(tx)
    .deleteFrom('userLinks')
    .where('userId', '=', userId)
    .where('purpose', 'in', purposes)
    .execute()
}

export const deleteExpiredLinks = async (query: Query, now: Date): Promise<void> => {
  await tables(query).deleteFrom('userLinks').where('expiresAt', '<=', now).execute()
}
