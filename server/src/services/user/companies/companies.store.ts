import { type Insertable, type Selectable, type SqlBool, sql, type Updateable } from 'kysely'
import { type Query } from '../../../ports/database/database.ts'
import type { Companies } from '../../../ports/database/tables.ts'

export type StoredCompany = Selectable<Companies>

type Timestamps = 'createdAt' | 'updatedAt'

/** Undefined if another company has this VAT id. */
export const insertCompany = (
  tx: Query,
  company: Omit<Insertable<Companies>, Timestamps>,
  now: Date,
): Promise<StoredCompany | undefined> =>
  tx
    .insertInto('companies')
    .values({ ...company, createdAt: now, updatedAt: now })
    .onConflict((conflict) => conflict.column('vatId').doNothing())
    .returningAll()
    .executeTakeFirst()

export type CompanyFilter = {
  readonly id?: string
  readonly ids?: readonly string[]
  /** Companies that at least one of these users belongs to. */
  readonly memberIds?: readonly string[]
  readonly vatIds?: readonly string[]
  readonly verified?: boolean
  readonly after?: string
  readonly limit?: number
}

/** Newest first. */
export const findCompanies = (query: Query, filter: CompanyFilter): Promise<StoredCompany[]> => {
  const { id, ids, memberIds, vatIds, verified, after, limit } = filter
  let found = query.selectFrom('companies').selectAll().orderBy('id', 'desc')
  if (id !== undefined) found = found.where('id', '=', id)
  if (ids !== undefined) found = found.where(sql<SqlBool>`id = any(${ids}::uuid[])`)
  if (memberIds !== undefined) {
    found = found.where(
      sql<SqlBool>`exists (
        select from company_members m where m.company_id = companies.id and m.user_id = any(${memberIds}::uuid[])
      )`,
    )
  }
  if (vatIds !== undefined) found = found.where('vatId', 'in', vatIds)
  if (verified !== undefined) found = found.where('verifiedAt', verified ? 'is not' : 'is', null)
  if (after !== undefined) found = found.where('id', '<', after)
  if (limit !== undefined) found = found.limit(limit)
  return found.execute()
}

/** The addresses of the company or, if it has none, those of its active admins, longest-standing first. */
export const findContacts = async (query: Query, companyId: string): Promise<readonly string[]> => {
  const { rows } = await sql<{ contacts: readonly string[] }>`
    select case when cardinality(c.emails) > 0 then c.emails else array(
      select u.email from company_members m join users u on u.id = m.user_id
      where m.company_id = c.id and m.role = 'admin' and u.status = 'active'
      order by m.since, m.user_id
    ) end as contacts from companies c where c.id = ${companyId}`.execute(query)
  return rows[0]?.contacts ?? []
}

/** Every change of a company or its members locks it first, so that concurrent changes run one after the other. */
export const lockCompany = (tx: Query, id: string): Promise<StoredCompany | undefined> =>
  tx.selectFrom('companies').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

/** Returns the company with its changes. Undefined columns keep their value. */
export const updateCompanyRow = (
  tx: Query,
  { id, changes }: { readonly id: string; readonly changes: Omit<Updateable<Companies>, 'id' | Timestamps> },
  now: Date,
): Promise<StoredCompany> =>
  tx
    .updateTable('companies')
    .set({ ...changes, updatedAt: now })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

export const deleteCompanyRow = async (tx: Query, id: string): Promise<void> => {
  await tx.deleteFrom('companies').where('id', '=', id).execute()
}
