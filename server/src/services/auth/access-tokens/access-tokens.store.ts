import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Page } from '../../../http/page.ts'
import { type Query } from '../../../ports/database/database.ts'
import type { DB } from '../../../ports/database/tables.ts'

type AccessTokens = DB['accessTokens']
export type StoredAccessToken = Selectable<AccessTokens>

export const insertAccessToken = (tx: Query, token: Insertable<AccessTokens>): Promise<StoredAccessToken> =>
  tx.insertInto('accessTokens').values(token).returningAll().executeTakeFirstOrThrow()

export const countAccessTokens = async (query: Query, companyId: string): Promise<number> => {
  const { count } = await query
    .selectFrom('accessTokens')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('companyId', '=', companyId)
    .executeTakeFirstOrThrow()
  return count
}

export const updateAccessToken = (
  tx: Query,
  id: string,
  changes: Updateable<AccessTokens>,
): Promise<StoredAccessToken> =>
  tx.updateTable('accessTokens').set(changes).where('id', '=', id).returningAll().executeTakeFirstOrThrow()

export type AccessTokenKey = { readonly id: string; readonly companyId: string }

export const findAccessToken = (query: Query, key: AccessTokenKey): Promise<StoredAccessToken | undefined> =>
  ofCompany(query, key).executeTakeFirst()

/** Locks the record until the transaction ends. */
export const lockAccessToken = (tx: Query, key: AccessTokenKey): Promise<StoredAccessToken | undefined> =>
  ofCompany(tx, key).forUpdate().executeTakeFirst()

const ofCompany = (query: Query, { id, companyId }: AccessTokenKey) =>
  query.selectFrom('accessTokens').selectAll().where('id', '=', id).where('companyId', '=', companyId)

/** The record of a valid token. */
export const findRecordOfToken = (
  query: Query,
  { id, tokenId }: { id: string; tokenId: string },
  now: Date,
): Promise<StoredAccessToken | undefined> =>
  query
    .selectFrom('accessTokens')
    .selectAll()
    .where('id', '=', id)
    .where('tokenId', '=', tokenId)
    .where('expiresAt', '>', now)
    .executeTakeFirst()

/** Newest first. */
export const findAccessTokenPage = (
  query: Query,
  companyId: string,
  { limit, after }: Page,
): Promise<StoredAccessToken[]> => {
  const newest = query
    .selectFrom('accessTokens')
    .selectAll()
    .where('companyId', '=', companyId)
    .orderBy('id', 'desc')
    .limit(limit)
  return (after === undefined ? newest : newest.where('id', '<', after)).execute()
}

export const deleteAccessToken = async (tx: Query, id: string): Promise<void> => {
  await tx.deleteFrom('accessTokens').where('id', '=', id).execute()
}
