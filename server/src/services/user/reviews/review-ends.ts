import type { Query } from '../../../ports/database/database.ts'
import { findEnds, findReview } from './reviews.store.ts'

/** A rejection that took back a review of a company. */
export type ReviewEnd = {
  readonly reviewId: string
  readonly reviewedAt: Date
  /** Certificates from then on have no reviewed issuer. */
  readonly since: Date
  readonly reason: string
  readonly endedAt: Date
}

/** Of these reviews, those that a rejection took back. */
const findReviewEnds = async (
  query: Query,
  reviewIds: readonly string[],
): Promise<ReadonlyMap<string, ReviewEnd>> => {
  const ends = await findEnds(query, { reviewIds })
  return new Map(ends.map((end) => [end.reviewId, toEnd(end)]))
}

/** Of one company, or of all. */
const findEndedReviews = async (query: Query, companyId: string | undefined): Promise<readonly ReviewEnd[]> =>
  (await findEnds(query, { companyId })).map(toEnd)

const toEnd = ({
  reason,
  since,
  endedAt,
  ...end
}: Awaited<ReturnType<typeof findEnds>>[number]): ReviewEnd => ({
  ...end,
  since: since ?? endedAt,
  reason: reason ?? '',
  endedAt,
})

export type Rejection = {
  readonly companyId: string
  readonly reviewerId: string
  readonly since: Date
  readonly reason: string
  readonly revokesKeys: boolean
}

const findRejection = async (query: Query, reviewId: string): Promise<Rejection | undefined> => {
  const review = await findReview(query, reviewId)
  if (review?.decision !== 'rejected') return undefined
  const { companyId, reviewerId, since, createdAt, reason, revokeKeys } = review
  return { companyId, reviewerId, since: since ?? createdAt, reason: reason ?? '', revokesKeys: revokeKeys }
}

export const reviewEnds = { findReviewEnds, findEndedReviews, findRejection }
export type ReviewEnds = typeof reviewEnds
