import type { Review } from '@millseal/contract'
import type { Query } from '../../../ports/database/database.ts'

export type StoredReview = {
  readonly id: string
  readonly companyId: string
  readonly reviewer: { readonly id: string; readonly username: string }
  readonly decision: Review['decision']
  readonly reason: string | undefined
  readonly evidence: Review['evidence']
  readonly createdAt: Date
}

type ReviewRow = {
  id: string
  company_id: string
  reviewer_id: string
  reviewer_username: string
  decision: Review['decision']
  reason: string | null
  evidence: string
  created_at: Date
}
type ReviewTables = { company_reviews: ReviewRow }

export const insertReview = async (tx: Query, review: StoredReview): Promise<void> => {
  await tx
    .withTables<ReviewTables>()
    .insertInto('company_reviews')
    .values({
      id: review.id,
      company_id: review.companyId,
      reviewer_id: review.reviewer.id,
      reviewer_username: review.reviewer.username,
      decision: review.decision,
      reason: review.reason ?? null,
      evidence: JSON.stringify(review.evidence),
      created_at: review.createdAt,
    })
    .execute()
}

export const findReview = async (query: Query, id: string): Promise<StoredReview | undefined> => {
  const row = await query
    .withTables<ReviewTables>()
    .selectFrom('company_reviews')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
  return row === undefined ? undefined : toReview(row)
}

/** Newest first. */
export const findReviews = async (
  query: Query,
  companyId: string,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<StoredReview[]> => {
  const rows = await query
    .withTables<ReviewTables>()
    .selectFrom('company_reviews')
    .selectAll()
    .where('company_id', '=', companyId)
    .$if(after !== undefined, (some) => some.where('id', '<', after ?? null))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toReview)
}

const toReview = (row: ReviewRow): StoredReview => ({
  id: row.id,
  companyId: row.company_id,
  reviewer: { id: row.reviewer_id, username: row.reviewer_username },
  decision: row.decision,
  reason: row.reason ?? undefined,
  evidence: JSON.parse(row.evidence) as Review['evidence'],
  createdAt: row.created_at,
})
