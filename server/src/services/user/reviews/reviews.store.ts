import { type Insertable, type Selectable, type SqlBool, sql } from 'kysely'
import { type Query } from '../../../ports/database/database.ts'
import type { CompanyReviews } from '../../../ports/database/tables.ts'

/** `evidence` is JSON. */
export type StoredReview = Selectable<CompanyReviews>

export const insertReview = (tx: Query, review: Insertable<CompanyReviews>): Promise<StoredReview> =>
  tx.insertInto('companyReviews').values(review).returningAll().executeTakeFirstOrThrow()

export const findReview = (query: Query, id: string): Promise<StoredReview | undefined> =>
  query.selectFrom('companyReviews').selectAll().where('id', '=', id).executeTakeFirst()

/** Newest first. */
export const findReviews = (
  query: Query,
  companyId: string,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<StoredReview[]> => {
  const reviews = query
    .selectFrom('companyReviews')
    .selectAll()
    .where('companyId', '=', companyId)
    .orderBy('id', 'desc')
    .limit(limit)
  return (after === undefined ? reviews : reviews.where('id', '<', after)).execute()
}

const reviewsShown = 20

/** The newest reviews of each of these companies, newest first. */
export const findReviewsOf = async (query: Query, companyIds: readonly string[]): Promise<StoredReview[]> => {
  const { rows } = await sql<StoredReview>`
    select r.* from unnest(${[...companyIds]}::uuid[]) as c (id) cross join lateral (
      select * from company_reviews where company_id = c.id order by created_at desc, id desc limit ${reviewsShown}
    ) as r`.execute(query)
  return rows
}

/** For a company that is deleted, and so has no row to lock. */
export const lockReviewsOf = async (tx: Query, companyId: string): Promise<void> => {
  await tx
    .selectFrom('companyReviews')
    .select('id')
    .where('companyId', '=', companyId)
    .orderBy('id')
    .forUpdate()
    .execute()
}

/** The newest review of each of these companies, with its VAT id, if it is verified. */
export const findStandingReviews = (query: Query, companyIds: readonly string[]) =>
  query
    .selectFrom('companyReviews')
    .innerJoin('companies', 'companies.id', 'companyReviews.companyId')
    .distinctOn('companyReviews.companyId')
    .selectAll('companyReviews')
    .select('companies.vatId')
    .where(sql<SqlBool>`companies.id = any(${[...companyIds]}::uuid[])`)
    .where('companies.verifiedAt', 'is not', null)
    .where('companyReviews.decision', '=', 'verified')
    .orderBy('companyReviews.companyId')
    .orderBy('companyReviews.id', 'desc')
    .execute()

type StoredEnd = {
  readonly reviewId: string
  readonly reviewedAt: Date
  readonly since: Date | null
  readonly reason: string | null
  readonly endedAt: Date
}

/** Of each review that verified a company, the first rejection after it. */
export const findEnds = async (
  query: Query,
  {
    reviewIds,
    companyId,
  }: { readonly reviewIds?: readonly string[]; readonly companyId?: string | undefined },
): Promise<StoredEnd[]> => {
  const isWanted =
    reviewIds === undefined
      ? sql`(${companyId ?? null}::uuid is null or e.company_id = ${companyId ?? null}::uuid)`
      : sql`r.id = any(${[...reviewIds]}::uuid[])`
  const { rows } = await sql<StoredEnd>`
    select distinct on (r.id) r.id as review_id, r.created_at as reviewed_at, e.since, e.reason, e.created_at as ended_at
    from company_reviews e join company_reviews r on r.company_id = e.company_id and r.id < e.id
    where e.decision = 'rejected' and r.decision = 'verified' and ${isWanted}
    order by r.id, e.id`.execute(query)
  return rows
}
