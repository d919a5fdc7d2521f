import type { operations, Review } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import { principalName } from '../../../http/principal.ts'
import { Problem } from '../../../lib/problem.ts'
import type { UserDependencies } from '../dependencies.ts'
import { gatherEvidence } from './gather-evidence.ts'
import { toReviewResponse } from './review-response.ts'
import { findReviewsOf, lockReviewsOf } from './reviews.store.ts'
import { storeReview } from './store-review.ts'

/**
 * Takes the review of a deleted company back, or nobody could: what it recorded would stay genuine. Its keys were deleted
 * with it, so there are none to revoke.
 */
export const rejectDeleted = async (
  deps: UserDependencies,
  call: Call<typeof operations.reviewCompany>,
  since: Date | null,
): Promise<Review> => {
  const { params, principal, client, signal, commit } = call
  const { decision, reason } = call.body
  const [last] = await findReviewsOf(deps.database.query, [params.id])
  if (last === undefined) throw new Problem('not_found')
  const { vatId } = JSON.parse(last.evidence) as Review['evidence']
  const evidence = await gatherEvidence(deps.vatRegistry.fresh, deps.clock, { vatId, signal: signal() })
  return commit(async (tx) => {
    await lockReviewsOf(tx, params.id)
    const [newest] = await findReviewsOf(tx, [params.id])
    if (decision !== 'rejected' || newest?.decision !== 'verified') throw new Problem('not_found')
    const now = new Date(deps.clock.now())
    const company = { id: newest.companyId, name: newest.companyName }
    const review = await storeReview(tx, call, { company, evidence, since, revokeKeys: false, now })
    await deps.audit.write(tx, {
      actor: principalName(principal),
      action: 'companies.review',
      subject: `company:${review.companyId}`,
      companyId: review.companyId,
      ipAddress: client.ip,
      details: {
        review: review.id,
        decision,
        reason,
        since: since?.toISOString(),
        evidence,
        wasDeleted: true,
      },
    })
    await deps.onReviewEnded(tx, review.id)
    return toReviewResponse(review)
  })
}
