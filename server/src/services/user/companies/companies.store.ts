import type { ReviewState } from '@millseal/contract'
import { type Insertable, type RawBuilder, type Selectable, type SqlBool, sql, type Updateable } from 'kysely'
import { containing } from '../../../lib/like-pattern.ts'
import { anyOf } from '../../../ports/database/any-of.ts'
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
  readonly ownerId?: string
  readonly vatIds?: readonly string[]
  readonly verified?: boolean | undefined
  readonly review?: ReviewState | undefined
  /** Part of the name, the VAT id, or an address of the company or a member. */
  readonly text?: string | undefined
  readonly after?: string
  readonly limit?: number
}

/** Newest first. */
export const findCompanies = (query: Query, filter: CompanyFilter): Promise<StoredCompany[]> => {
  const { after, limit } = filter
  let found = query.selectFrom('companies').selectAll().where(conditionsOf(filter)).orderBy('id', 'desc')
  if (after !== undefined) found = found.where('id', '<', after)
  if (limit !== undefined) found = found.limit(limit)
  return found.execute()
}

export const countCompanies = async (query: Query, filter: CompanyFilter): Promise<number> => {
  const { count } = await query
    .selectFrom('companies')
    .select(sql<number>`count(*)::int`.as('count'))
    .where(conditionsOf(filter))
    .executeTakeFirstOrThrow()
  return count
}

const conditionsOf = ({ id, ids, memberIds, ownerId, vatIds, verified, review, text }: CompanyFilter) =>
  sql.join<SqlBool>(
    [
      sql`true`,
      id === undefined ? undefined : sql`companies.id = ${id}`,
      ids === undefined ? undefined : sql`companies.id ${anyOf(ids)}`,
      memberIds === undefined
        ? undefined
        : sql`exists (
            select from company_members m
            where m.company_id = companies.id and m.user_id = any(${[...memberIds]}::uuid[])
          )`,
      ownerId === undefined ? undefined : sql`companies.owner_id = ${ownerId}`,
      vatIds === undefined ? undefined : sql`companies.vat_id = any(${[...vatIds]}::text[])`,
      verified === undefined ? undefined : sql`(companies.verified_at is not null) = ${verified}`,
      review === undefined ? undefined : reviewConditions[review],
      text === undefined ? undefined : textCondition(text),
    ].filter((condition) => condition !== undefined),
    sql` and `,
  )

const wasReviewed = sql`exists (select from company_reviews r where r.company_id = companies.id)`

const reviewConditions = {
  pending: sql`companies.verified_at is null and not ${wasReviewed}`,
  rejected: sql`companies.verified_at is null and ${wasReviewed}`,
  verified: sql`companies.verified_at is not null`,
} as const satisfies Readonly<Record<ReviewState, RawBuilder<unknown>>>

/** A company that is not verified was rejected if anybody ever reviewed it: verifications end by a rejection only. */
export const reviewStateOf = ({ verifiedAt }: StoredCompany, wasReviewedOnce: boolean): ReviewState => {
  if (verifiedAt !== null) return 'verified'
  return wasReviewedOnce ? 'rejected' : 'pending'
}

const textCondition = (text: string) => {
  const part = containing(text)
  return sql`(
    lower(companies.name) like ${part} or lower(companies.vat_id) like ${part}
    or lower(array_to_string(companies.emails, ' ')) like ${part}
    or exists (
      select from company_members m join users u on u.id = m.user_id
      where m.company_id = companies.id and lower(u.email) like ${part}
    )
  )`
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

/** The company that holds a VAT id, locked. */
export const lockCompanyOf = (tx: Query, vatId: string): Promise<StoredCompany | undefined> =>
  tx.selectFrom('companies').selectAll().where('vatId', '=', vatId).forUpdate().executeTakeFirst()

/** All that operators have ever decided about it. */
export const decisionsAbout = async (query: Query, companyId: string): Promise<readonly string[]> => {
  const found = await query
    .selectFrom('companyReviews')
    .select('decision')
    .distinct()
    .where('companyId', '=', companyId)
    .execute()
  return found.map(({ decision }) => decision)
}

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
