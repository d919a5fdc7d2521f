import { type Insertable, type Selectable, type SqlBool, sql } from 'kysely'
import type { Query } from '../../../ports/database/database.ts'
import type { CompanyLooks } from '../../../ports/database/tables.ts'

export type StoredLook = Selectable<CompanyLooks>

/** `receiver` is a key of `receiver-key.ts`; empty for the look for all receivers. */
export type LookKey = { readonly companyId: string; readonly receiver: string }

export const findLooks = (
  query: Query,
  { companyId, receivers }: { readonly companyId: string; readonly receivers: readonly string[] },
): Promise<StoredLook[]> =>
  query
    .selectFrom('companyLooks')
    .selectAll()
    .where('companyId', '=', companyId)
    .where(sql<SqlBool>`receiver = any(${receivers}::text[])`)
    .execute()

/** Without the bytes of the logos, but with their sizes. */
export const listStoredLooks = (query: Query, companyId: string) =>
  query
    .selectFrom('companyLooks')
    .select(['receiver', 'settings', 'logoType', 'updatedAt'])
    .select(sql<number | null>`length(logo)`.as('logoBytes'))
    .where('companyId', '=', companyId)
    .orderBy('receiver')
    .execute()

export const findStoredLook = (
  query: Query,
  { companyId, receiver }: LookKey,
): Promise<StoredLook | undefined> =>
  query
    .selectFrom('companyLooks')
    .selectAll()
    .where('companyId', '=', companyId)
    .where('receiver', '=', receiver)
    .executeTakeFirst()

export const countLooks = async (query: Query, companyId: string): Promise<number> => {
  const { count } = await query
    .selectFrom('companyLooks')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('companyId', '=', companyId)
    .executeTakeFirstOrThrow()
  return count
}

/** Creates the look, or changes these columns of it. */
export const saveLook = (
  tx: Query,
  {
    key,
    changes,
    now,
  }: {
    readonly key: LookKey
    readonly changes: Partial<Pick<Insertable<CompanyLooks>, 'settings' | 'logo' | 'logoType'>>
    readonly now: Date
  },
): Promise<StoredLook> =>
  tx
    .insertInto('companyLooks')
    .values({ ...key, ...changes, updatedAt: now })
    .onConflict((conflict) =>
      conflict.columns(['companyId', 'receiver']).doUpdateSet({ ...changes, updatedAt: now }),
    )
    .returningAll()
    .executeTakeFirstOrThrow()

export const deleteStoredLook = (
  tx: Query,
  { companyId, receiver }: LookKey,
): Promise<StoredLook | undefined> =>
  tx
    .deleteFrom('companyLooks')
    .where('companyId', '=', companyId)
    .where('receiver', '=', receiver)
    .returningAll()
    .executeTakeFirst()
