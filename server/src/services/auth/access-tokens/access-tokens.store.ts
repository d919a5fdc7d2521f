import type { Mode, ScopeObject } from '@millseal/contract'
import type { Page } from '../../../http/page.ts'
import type { Query } from '../../../ports/database/database.ts'

export type StoredAccessToken = {
  readonly id: string
  readonly companyId: string
  /** Who made it, and has to stay a member of the company. */
  readonly userId: string
  readonly tokenId: string
  readonly description: string
  readonly mode: Mode
  readonly scopes: ScopeObject
  readonly issuedAt: Date
  readonly expiresAt: Date
  readonly createdAt: Date
  readonly updatedAt: Date
}

type AccessTokenRow = {
  id: string
  company_id: string
  user_id: string
  token_id: string
  description: string
  mode: Mode
  scopes: string
  issued_at: Date
  expires_at: Date
  created_at: Date
  updated_at: Date
}
type AccessTokenTables = { access_tokens: AccessTokenRow }

const accessTokens = (query: Query) => query.withTables<AccessTokenTables>()

export const insertAccessToken = async (tx: Query, token: StoredAccessToken): Promise<void> => {
  await accessTokens(tx)
    .insertInto('access_tokens')
    .values({ id: token.id, company_id: token.companyId, created_at: token.createdAt, ...issueOf(token) })
    .execute()
}

export const replaceAccessToken = async (tx: Query, token: StoredAccessToken): Promise<void> => {
  await accessTokens(tx).updateTable('access_tokens').set(issueOf(token)).where('id', '=', token.id).execute()
}

export type AccessTokenKey = { readonly id: string; readonly companyId: string }

export const findAccessToken = async (
  query: Query,
  { id, companyId }: AccessTokenKey,
): Promise<StoredAccessToken | undefined> => {
  const row = await accessTokens(query)
    .selectFrom('access_tokens')
    .selectAll()
    .where('id', '=', id)
    .where('company_id', '=', companyId)
    .executeTakeFirst()
  return row && toAccessToken(row)
}

/** Held until the transaction ends. */
export const lockAccessToken = async (
  tx: Query,
  { id, companyId }: AccessTokenKey,
): Promise<StoredAccessToken | undefined> => {
  const row = await accessTokens(tx)
    .selectFrom('access_tokens')
    .selectAll()
    .where('id', '=', id)
    .where('company_id', '=', companyId)
    .forUpdate()
    .executeTakeFirst()
  return row && toAccessToken(row)
}

/** The record a token is good for, while it is. */
export const findRecordOfToken = async (
  query: Query,
  { id, tokenId }: { id: string; tokenId: string },
  now: Date,
): Promise<StoredAccessToken | undefined> => {
  const row = await accessTokens(query)
    .selectFrom('access_tokens')
    .selectAll()
    .where('id', '=', id)
    .where('token_id', '=', tokenId)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row && toAccessToken(row)
}

/** Newest first. */
export const findAccessTokenPage = async (
  query: Query,
  companyId: string,
  { limit, after }: Page,
): Promise<StoredAccessToken[]> => {
  const rows = await accessTokens(query)
    .selectFrom('access_tokens')
    .selectAll()
    .where('company_id', '=', companyId)
    .$if(after !== undefined, (some) => some.where('id', '<', after ?? null))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toAccessToken)
}

export const removeAccessToken = async (tx: Query, id: string): Promise<void> => {
  await accessTokens(tx).deleteFrom('access_tokens').where('id', '=', id).execute()
}

/** What every issue of a token sets anew. */
const issueOf = (token: StoredAccessToken) => ({
  user_id: token.userId,
  token_id: token.tokenId,
  description: token.description,
  mode: token.mode,
  scopes: JSON.stringify(token.scopes),
  issued_at: token.issuedAt,
  expires_at: token.expiresAt,
  updated_at: token.updatedAt,
})

const toAccessToken = (row: AccessTokenRow): StoredAccessToken => ({
  id: row.id,
  companyId: row.company_id,
  userId: row.user_id,
  tokenId: row.token_id,
  description: row.description,
  mode: row.mode,
  scopes: JSON.parse(row.scopes),
  issuedAt: row.issued_at,
  expiresAt: row.expires_at,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})
