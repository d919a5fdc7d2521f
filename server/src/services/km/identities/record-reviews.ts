import { type Mode, modes } from '@millseal/contract'
import type { Transaction } from '../../../ports/database/database.ts'
import type { Job, JobKind, JobQueue } from '../../../ports/jobs/jobs.ts'
import type { KmDependencies } from '../dependencies.ts'
import { activeLog } from '../nodes/active-log.ts'
import { findPublicIdentityPage, type StoredPublicIdentity } from './public-identities.store.ts'
import { findLogReviews, findReviewsOfOtherLogs, insertLogReview } from '../reviews/log-reviews.store.ts'
import { recordReview, type ReviewedIdentity } from '../reviews/record-review.ts'

/** Without a company: those of all companies, after an upgrade or the start of a new log. */
type MissingReviews = { readonly companyId?: string }

export const missingReviews: JobKind<MissingReviews> = {
  name: 'km-missing-reviews',
  retries: 20,
  backoffSeconds: 2,
  expireSeconds: 600,
}

/** Call it in the transaction that verifies the company, or at the start without a company. */
export const enqueueMissingReviews = (
  jobs: JobQueue,
  tx: Transaction,
  { companyId }: MissingReviews,
): Promise<void> =>
  companyId === undefined
    ? jobs.enqueue(tx, missingReviews, {}, { singletonKey: 'all' })
    : jobs.enqueue(tx, missingReviews, { companyId })

const pageSize = 200

/** Records the reviews that the active logs lack of published identities of verified companies. */
export const recordMissingReviews = async (
  deps: KmDependencies,
  { data: { companyId }, signal }: Pick<Job<MissingReviews>, 'data' | 'signal'>,
): Promise<void> => {
  const failures: unknown[] = []
  for (const mode of modes) {
    const log = await activeLog(deps, mode)
    if (log === undefined) continue
    await adoptReviews(deps, { mode, log })
    let after: string | undefined
    do {
      const page = { limit: pageSize, after }
      const identities = await findPublicIdentityPage(deps.database.query, { mode, companyId }, page)
      for (const missing of await missingOf(deps, { mode, log, identities })) {
        signal.throwIfAborted()
        await recordReview(deps, missing, signal).catch((error: unknown) => failures.push(error))
      }
      after = identities.length < pageSize ? undefined : identities.at(-1)?.id
    } while (after !== undefined)
  }
  if (failures.length > 0) throw failures[0]
}

/** A log that continues under a new name has the entries of the earlier one, and so its reviews. */
const adoptReviews = async (
  { database, routing }: KmDependencies,
  { mode, log }: { readonly mode: Mode; readonly log: string },
): Promise<void> => {
  const ledger = await routing.active(mode)
  for (const review of await findReviewsOfOtherLogs(database.query, { mode, log })) {
    const transactionIds = [review.publicationId, review.transactionId]
    if ((await ledger.proveRecords({ transactionIds, subjects: [] })) !== undefined)
      await insertLogReview(database.query, { ...review, log })
  }
}

const missingOf = async (
  { database, users }: KmDependencies,
  {
    mode,
    log,
    identities,
  }: {
    readonly mode: Mode
    readonly log: string
    readonly identities: readonly StoredPublicIdentity[]
  },
): Promise<ReviewedIdentity[]> => {
  const verifications = await users.findVerifications(database.query, [
    ...new Set(identities.map(({ companyId }) => companyId)),
  ])
  const publicKeys = identities.map(({ publicKey }) => publicKey)
  const recorded = new Set(
    (await findLogReviews(database.query, { mode, publicKeys }))
      .filter((review) => review.log === log)
      .map(({ publicKey, reviewId }) => `${publicKey} ${reviewId}`),
  )
  return identities.flatMap(({ publicKey, did, companyId, ledgerId }) => {
    const verification = verifications.get(companyId)
    if (ledgerId === null || verification === undefined) return []
    if (recorded.has(`${publicKey} ${verification.reviewId}`)) return []
    return [{ mode, publicKey, did, publicationId: ledgerId, verification }]
  })
}
