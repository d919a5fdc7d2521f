import type { Query } from '../../../ports/database/database.ts'
import { evidenceHashOf } from './evidence-hash.ts'
import { findStandingReviews } from './reviews.store.ts'

/** The review by which a company is verified. */
export type CompanyVerification = {
  readonly reviewId: string
  /** The name that was reviewed. */
  readonly company: string
  readonly vatId: string
  readonly reviewedAt: Date
  /** The hash of the evidence. */
  readonly evidence: string
}

/** By company; without those that are not verified. */
export const findVerifications = async (
  query: Query,
  companyIds: readonly string[],
): Promise<ReadonlyMap<string, CompanyVerification>> => {
  const reviews = await findStandingReviews(query, companyIds)
  return new Map(
    reviews.map(({ vatId, ...review }) => [
      review.companyId,
      {
        reviewId: review.id,
        company: review.companyName,
        vatId,
        reviewedAt: review.createdAt,
        evidence: evidenceHashOf(review),
      },
    ]),
  )
}
