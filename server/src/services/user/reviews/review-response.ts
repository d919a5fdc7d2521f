import type { Review } from '@millseal/contract'
import { evidenceHashOf } from './evidence-hash.ts'
import type { StoredReview } from './reviews.store.ts'

export const toReviewResponse = (review: StoredReview): Review => ({
  id: review.id,
  company: review.companyId,
  decision: review.decision,
  reason: review.reason ?? undefined,
  since: review.since?.toISOString(),
  revokeKeys: review.revokeKeys || undefined,
  reviewer: { id: review.reviewerId, username: review.reviewerUsername },
  evidence: JSON.parse(review.evidence) as Review['evidence'],
  evidenceHash: evidenceHashOf(review),
  createdAt: review.createdAt.toISOString(),
})
