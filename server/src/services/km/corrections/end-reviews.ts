import type { Transaction } from '../../../ports/database/database.ts'
import type { Job, JobKind, JobQueue } from '../../../ports/jobs/jobs.ts'
import type { KmDependencies } from '../dependencies.ts'
import { recordReviewEnds } from '../reviews/record-review-ends.ts'
import { revokeKeysOf } from './revoke-keys-of.ts'

export const reviewEnd: JobKind<{ readonly reviewId: string }> = {
  name: 'km-review-end',
  retries: 20,
  backoffSeconds: 2,
  expireSeconds: 600,
}

/** Call it in the transaction that rejects a company that was verified. */
export const enqueueReviewEnd = (jobs: JobQueue, tx: Transaction, reviewId: string): Promise<void> =>
  jobs.enqueue(tx, reviewEnd, { reviewId })

/** Revokes the keys of the company if that is wanted, and tells the logs that its reviews ended. */
export const endReviews = async (
  deps: KmDependencies,
  { data: { reviewId }, signal }: Job<{ readonly reviewId: string }>,
): Promise<void> => {
  const rejection = await deps.users.findRejection(deps.database.query, reviewId)
  if (rejection === undefined) return
  await recordReviewEnds(deps, signal, rejection.companyId)
  if (rejection.revokesKeys) await revokeKeysOf(deps, rejection, signal)
}
