import type { Mode, ScopeObject } from '@millseal/contract'
import { sql } from 'kysely'
import type { Page } from '../../../http/page.ts'
import type { Query } from '../../../ports/database/database.ts'

export type StoredApplication = {
  readonly id: string
  readonly companyId: string
  readonly clientId: string
  readonly secretHash: Uint8Array
  readonly name: string
  readonly description: string
  readonly mode: Mode
  readonly scopes: ScopeObject
  readonly token: IssuedToken | undefined
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** What is needed to sign the very same token again. */
export type IssuedToken = { readonly id: string; readonly issuedAt: Date; readonly keyId: string }

type ApplicationRow = {
  id: string
  company_id: string
  client_id: string
  secret_hash: Uint8Array
  name: string
  description: string
  mode: Mode
  scopes: string
  token_id: string | null
  token_issued_at: Date | null
  token_key_id: string | null
  previous_token_id: string | null
  created_at: Date
  updated_at: Date
}
type ApplicationTables = { applications: ApplicationRow }

const applications = (query: Query) => query.withTables<ApplicationTables>()

export type NewApplication = Omit<StoredApplication, 'token' | 'createdAt' | 'updatedAt'>

export const insertApplication = async (
  tx: Query,
  application: NewApplication,
  now: Date,
): Promise<StoredApplication> => {
  const row = await applications(tx)
    .insertInto('applications')
    .values({
      id: application.id,
      company_id: application.companyId,
      client_id: application.clientId,
      secret_hash: application.secretHash,
      name: application.name,
      description: application.description,
      mode: application.mode,
      scopes: JSON.stringify(application.scopes),
      token_id: null,
      token_issued_at: null,
      token_key_id: null,
      previous_token_id: null,
      created_at: now,
      updated_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return toApplication(row)
}

export const countApplications = async (tx: Query, companyId: string): Promise<number> => {
  const { count } = await applications(tx)
    .selectFrom('applications')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('company_id', '=', companyId)
    .executeTakeFirstOrThrow()
  return count
}

export type ApplicationKey = { readonly id: string; readonly companyId: string }

export const findApplication = async (
  query: Query,
  { id, companyId }: ApplicationKey,
): Promise<StoredApplication | undefined> => {
  const row = await applications(query)
    .selectFrom('applications')
    .selectAll()
    .where('id', '=', id)
    .where('company_id', '=', companyId)
    .executeTakeFirst()
  return row && toApplication(row)
}

/** Held until the transaction ends. */
export const lockApplication = async (
  tx: Query,
  { id, companyId }: ApplicationKey,
): Promise<StoredApplication | undefined> => {
  const row = await applications(tx)
    .selectFrom('applications')
    .selectAll()
    .where('id', '=', id)
    .where('company_id', '=', companyId)
    .forUpdate()
    .executeTakeFirst()
  return row && toApplication(row)
}

export const findApplicationOfClient = async (
  query: Query,
  clientId: string,
): Promise<StoredApplication | undefined> => {
  const row = await applications(query)
    .selectFrom('applications')
    .selectAll()
    .where('client_id', '=', clientId)
    .executeTakeFirst()
  return row && toApplication(row)
}

/** The application that a token is good for: its present one, or the one before that until it runs out. */
export const findApplicationOfToken = async (
  query: Query,
  { id, tokenId }: { id: string; tokenId: string },
): Promise<Pick<StoredApplication, 'id' | 'companyId' | 'mode' | 'scopes'> | undefined> => {
  const row = await applications(query)
    .selectFrom('applications')
    .select(['id', 'company_id', 'mode', 'scopes'])
    .where('id', '=', id)
    .where((is) => is.or([is('token_id', '=', tokenId), is('previous_token_id', '=', tokenId)]))
    .executeTakeFirst()
  return row && { id: row.id, companyId: row.company_id, mode: row.mode, scopes: JSON.parse(row.scopes) }
}

/** Newest first. */
export const findApplicationPage = async (
  query: Query,
  { companyId, modes }: { companyId: string; modes: readonly Mode[] },
  { limit, after }: Page,
): Promise<StoredApplication[]> => {
  const rows = await applications(query)
    .selectFrom('applications')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('mode', 'in', [...modes])
    .$if(after !== undefined, (some) => some.where('id', '<', after ?? null))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toApplication)
}

export const saveApplication = async (
  tx: Query,
  application: Pick<StoredApplication, 'id' | 'name' | 'description' | 'scopes'>,
  now: Date,
): Promise<void> => {
  await applications(tx)
    .updateTable('applications')
    .set({
      name: application.name,
      description: application.description,
      scopes: JSON.stringify(application.scopes),
      updated_at: now,
    })
    .where('id', '=', application.id)
    .execute()
}

/** Tokens of the old secret end with it. */
export const replaceSecret = async (
  tx: Query,
  { id, secretHash }: { id: string; secretHash: Uint8Array },
  now: Date,
): Promise<void> => {
  await applications(tx)
    .updateTable('applications')
    .set({
      secret_hash: secretHash,
      token_id: null,
      token_issued_at: null,
      token_key_id: null,
      previous_token_id: null,
      updated_at: now,
    })
    .where('id', '=', id)
    .execute()
}

/** The token so far stays good until its own end. */
export const saveToken = async (tx: Query, applicationId: string, token: IssuedToken): Promise<void> => {
  await applications(tx)
    .updateTable('applications')
    .set({
      previous_token_id: sql`token_id`,
      token_id: token.id,
      token_issued_at: token.issuedAt,
      token_key_id: token.keyId,
    })
    .where('id', '=', applicationId)
    .execute()
}

export const removeApplication = async (tx: Query, id: string): Promise<void> => {
  await applications(tx).deleteFrom('applications').where('id', '=', id).execute()
}

const toApplication = (row: ApplicationRow): StoredApplication => ({
  id: row.id,
  companyId: row.company_id,
  clientId: row.client_id,
  secretHash: row.secret_hash,
  name: row.name,
  description: row.description,
  mode: row.mode,
  scopes: JSON.parse(row.scopes),
  token: toToken(row),
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

const toToken = ({ token_id, token_issued_at, token_key_id }: ApplicationRow): IssuedToken | undefined =>
  token_id === null || token_issued_at === null || token_key_id === null
    ? undefined
    : { id: token_id, issuedAt: token_issued_at, keyId: token_key_id }
