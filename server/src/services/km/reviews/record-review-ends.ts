import { decodeBase58, didOf } from '@millseal/proof'
import type { ReviewEnd } from '../../user/index.ts'
import type { KmDependencies } from '../dependencies.ts'
import { submissionSignal } from '../ledgers/deadline.ts'
import { activeLog } from '../nodes/active-log.ts'
import { findUnendedLogReviews, type LogReview, markEnded } from './log-reviews.store.ts'

/** Records the ends that the active logs lack: of one company, or of all. */
export const recordReviewEnds = async (
  deps: KmDependencies,
  signal: AbortSignal,
  companyId?: string,
): Promise<void> => {
  const { database, users } = deps
  const ends = new Map(
    (await users.findEndedReviews(database.query, companyId)).map((end) => [end.reviewId, end]),
  )
  for (const review of await findUnendedLogReviews(database.query, [...ends.keys()])) {
    signal.throwIfAborted()
    const end = ends.get(review.reviewId)
    if (end !== undefined && (await activeLog(deps, review.mode)) === review.log)
      await recordEnd(deps, { review, end, signal })
  }
}

/** Every attempt makes the same transaction. */
const recordEnd = async (
  deps: KmDependencies,
  {
    review,
    end,
    signal,
  }: { readonly review: LogReview; readonly end: ReviewEnd; readonly signal: AbortSignal },
): Promise<void> => {
  const { mode, publicKey, transactionId } = review
  const ledger = await deps.routing.active(mode)
  if (ledger.operator === undefined) return
  const transaction = await ledger.operator.sign({
    type: 'withdraw-review',
    subject: `review ${didOf(decodeBase58(publicKey))}`,
    review: transactionId,
    since: end.since.toISOString(),
    reason: end.reason,
    by: 'operator',
  })
  await ledger.submit(transaction, submissionSignal(signal))
  await markEnded(deps.database.query, review, transaction.id)
}
