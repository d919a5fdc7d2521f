import type { Mode } from '@millseal/contract'
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Page } from '../../../http/page.ts'
import { type Query } from '../../../ports/database/database.ts'
import type { DB } from '../../../ports/database/tables.ts'

type Applications = DB['applications']
export type StoredApplication = Selectable<Applications>

/** The columns needed to sign the same token again. */
export type IssuedToken = {
  readonly tokenId: string
  readonly tokenIssuedAt: Date
  readonly tokenKeyId: string
}

export const hasToken = (application: StoredApplication): application is StoredApplication & IssuedToken =>
  application.tokenId !== null && application.tokenIssuedAt !== null && application.tokenKeyId !== null

export const insertApplication = (
  tx: Query,
  application: Insertable<Applications>,
): Promise<StoredApplication> =>
  tx.insertInto('applications').values(application).returningAll().executeTakeFirstOrThrow()

export const countApplications = async (tx: Query, companyId: string): Promise<number> => {
  const { count } = await tx
    .selectFrom('applications')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('companyId', '=', companyId)
    .executeTakeFirstOrThrow()
  return count
}

export type ApplicationKey = { readonly id: string; readonly companyId: string }

export const findApplication = (query: Query, key: ApplicationKey): Promise<StoredApplication | undefined> =>
  ofCompany(query, key).executeTakeFirst()

/** Locks the application until the transaction ends. */
export const lockApplication = (tx: Query, key: ApplicationKey): Promise<StoredApplication | undefined> =>
  ofCompany(tx, key).forUpdate().executeTakeFirst()

const ofCompany = (query: Query, { id, companyId }: ApplicationKey) =>
  query.selectFrom('applications').selectAll().where('id', '=', id).where('companyId', '=', companyId)

export const findApplicationOfClient = (
  query: Query,
  clientId: string,
): Promise<StoredApplication | undefined> =>
  query.selectFrom('applications').selectAll().where('clientId', '=', clientId).executeTakeFirst()

/** The application whose current token this is, or whose previous one, which stays valid until it expires. */
export const findApplicationOfToken = (
  query: Query,
  { id, tokenId }: { id: string; tokenId: string },
): Promise<StoredApplication | undefined> =>
  query
    .selectFrom('applications')
    .selectAll()
    .where('id', '=', id)
    .where(({ eb, or }) => or([eb('tokenId', '=', tokenId), eb('previousTokenId', '=', tokenId)]))
    .executeTakeFirst()

/** Newest first. */
export const findApplicationPage = (
  query: Query,
  { companyId, modes }: { companyId: string; modes: readonly Mode[] },
  { limit, after }: Page,
): Promise<StoredApplication[]> => {
  const newest = query
    .selectFrom('applications')
    .selectAll()
    .where('companyId', '=', companyId)
    .where('mode', 'in', modes)
    .orderBy('id', 'desc')
    .limit(limit)
  return (after === undefined ? newest : newest.where('id', '<', after)).execute()
}

export const updateApplication = (
  tx: Query,
  id: string,
  changes: Updateable<Applications>,
): Promise<StoredApplication> =>
  tx.updateTable('applications').set(changes).where('id', '=', id).returningAll().executeTakeFirstOrThrow()

/** The previous token stays valid until it expires. */
export const saveToken = async (tx: Query, applicationId: string, token: IssuedToken): Promise<void> => {
  await tx
    .updateTable('applications')
    .set(({ ref }) => ({ previousTokenId: ref('tokenId'), ...token }))
    .where('id', '=', applicationId)
    .execute()
}

/** Of several calls at once, one writes. */
export const saveLastUse = async (query: Query, id: string, { now, before }: LastUse): Promise<void> => {
  await query
    .updateTable('applications')
    .set({ lastUsedAt: now })
    .where('id', '=', id)
    .where((of) => of.or([of('lastUsedAt', 'is', null), of('lastUsedAt', '<', before)]))
    .execute()
}

/** `before`: what was written later is recent enough. */
type LastUse = { readonly now: Date; readonly before: Date }

export const deleteApplication = async (tx: Query, id: string): Promise<void> => {
  await tx.deleteFrom('applications').where('id', '=', id).execute()
}
