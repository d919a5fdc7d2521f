import type { Mode } from '@millseal/contract'
import { originOf } from '@millseal/proof'
import type { Ledger } from '../../../ports/ledger/ledger.ts'
import type { CompanyVerification } from '../../user/index.ts'
import type { KmDependencies } from '../dependencies.ts'
import { submissionSignal } from '../ledgers/deadline.ts'
import { insertLogReview } from './log-reviews.store.ts'

export type ReviewedIdentity = {
  readonly mode: Mode
  readonly publicKey: string
  readonly did: string
  /** The transaction that published it. */
  readonly publicationId: string
  readonly verification: CompanyVerification
}

/** Half of what verifiers allow; the other half is for the clock of the log's writer. */
const toleranceMs = 30_000

/**
 * Records on the active log that its operator reviewed the company of an identity. Every attempt makes the same
 * transaction, so the log has it once. Does nothing if the active ledger is not a log of this operator, or if the review is
 * dated after the present: no verifier would count it, and a later run of the job records it.
 */
export const recordReview = async (
  deps: KmDependencies,
  { mode, publicKey, did, publicationId, verification }: ReviewedIdentity,
  signal: AbortSignal,
): Promise<void> => {
  const ledger = await deps.routing.active(mode)
  if (ledger.operator === undefined) return
  const { company, vatId, reviewedAt, evidence, reviewId } = verification
  if (reviewedAt.getTime() > deps.clock.now() + toleranceMs) return
  await publishOn(deps, ledger, { mode, publicationId, signal })
  const review = await ledger.operator.sign({
    type: 'review',
    did,
    company,
    vatId,
    reviewedAt: reviewedAt.toISOString(),
    evidence,
  })
  await ledger.submit(review, submissionSignal(signal))
  const recorded = await ledger.proveRecords({ transactionIds: [publicationId, review.id], subjects: [] })
  if (recorded === undefined) throw new Error(`The log does not have the review ${review.id}`)
  await insertLogReview(deps.database.query, {
    mode,
    publicKey,
    log: originOf(recorded.checkpoint),
    reviewId,
    publicationId,
    transactionId: review.id,
    recordedAt: new Date(deps.clock.now()),
  })
}

/** A log that started after the identity was published does not have it yet, and a proof needs both in one log. */
const publishOn = async (
  { routing }: KmDependencies,
  ledger: Ledger,
  {
    mode,
    publicationId,
    signal,
  }: { readonly mode: Mode; readonly publicationId: string; readonly signal: AbortSignal },
): Promise<void> => {
  if ((await ledger.proveRecords({ transactionIds: [publicationId], subjects: [] })) !== undefined) return
  const publication = await routing.findFirst(mode, (each) => each.find(publicationId))
  if (publication === undefined) throw new Error(`No ledger has the publication ${publicationId}`)
  await routing.submit(mode, publication.transaction, submissionSignal(signal))
}
