import type { CreateReview, operations, Review } from '@millseal/contract'
import { because, type Reason } from '@millseal/contract/reasons'
import { isLogTime } from '@millseal/proof'
import type { Call } from '../../../http/binding.ts'
import type { UserPrincipal } from '../../../http/principal.ts'
import { Problem } from '../../../lib/problem.ts'
import { findCompanies, lockCompany, updateCompanyRow } from '../companies/companies.store.ts'
import { recordCompanyChange } from '../companies/company-changes.ts'
import { toCompanyResponse } from '../companies/company-response.ts'
import type { UserDependencies } from '../dependencies.ts'
import { findMembers, type StoredMember } from '../companies/members.store.ts'
import { gatherEvidence } from './gather-evidence.ts'
import { assertDistinctName } from './name-check.ts'
import { rejectDeleted } from './reject-deleted.ts'
import { reviewMail } from './review-mail.ts'
import { toReviewResponse } from './review-response.ts'
import { storeReview } from './store-review.ts'

/** Stores the decision together with the evidence it was based on. */
export const reviewCompany = async (
  deps: UserDependencies,
  call: Call<typeof operations.reviewCompany>,
): Promise<Review> => {
  const { params, body, principal, client, signal, commit } = call
  const { decision, reason, revokeKeys = false, acceptSimilarName = false } = body
  assertComplete(body)
  const since = sinceOf(deps, body)
  const [company] = await findCompanies(deps.database.query, { id: params.id })
  if (company === undefined) return rejectDeleted(deps, call, since)
  const { vatId } = company
  const evidence = await gatherEvidence(deps.vatRegistry.fresh, deps.clock, { vatId, signal: signal() })
  return commit(async (tx) => {
    const before = await lockCompany(tx, company.id)
    if (before === undefined) throw new Problem('not_found')
    const members = await findMembers(tx, [before.id])
    assertOutsider(principal, members)
    const similar = decision === 'verified' ? await assertDistinctName(tx, before, acceptSimilarName) : []
    const now = new Date(deps.clock.now())
    const review = await storeReview(tx, call, { company: before, evidence, since, revokeKeys, now })
    const verifiedAt = decision === 'verified' ? (before.verifiedAt ?? now) : null
    const after = await updateCompanyRow(tx, { id: before.id, changes: { verifiedAt } }, now)
    await recordCompanyChange(deps, tx, {
      company: toCompanyResponse(after, members),
      action: 'update_one',
      auditAction: 'companies.review',
      details: {
        review: review.id,
        decision,
        reason,
        since: since?.toISOString(),
        revokeKeys: revokeKeys || undefined,
        similarNames: similar.length === 0 ? undefined : similar,
        evidence,
        wasVerified: before.verifiedAt !== null,
      },
      principal,
      ip: client.ip,
    })
    for (const { id } of members.filter(({ memberRole }) => memberRole === 'admin')) {
      await deps.jobs.enqueue(tx, reviewMail, { reviewId: review.id, userId: id })
    }
    if (decision === 'verified') await deps.onVerified(tx, before.id)
    else if (before.verifiedAt !== null || revokeKeys) await deps.onReviewEnded(tx, review.id)
    return toReviewResponse(review)
  })
}

const assertComplete = ({ decision, reason, since, revokeKeys, acceptSimilarName }: CreateReview): void => {
  const reasons: Reason[] = []
  if (decision === 'rejected' && (reason ?? '').trim() === '')
    reasons.push(because('rejection_needs_reason', { place: '/reason' }))
  if (decision === 'rejected' && acceptSimilarName === true)
    reasons.push(because('only_for_verification', { place: '/acceptSimilarName' }))
  for (const [name, given] of Object.entries({ since, revokeKeys: revokeKeys || undefined }))
    if (decision === 'verified' && given !== undefined)
      reasons.push(because('only_for_rejection', { place: `/${name}` }))
  if (reasons.length > 0) throw new Problem('validation_failed', { reasons })
}

/** Null: since the decision. */
const sinceOf = ({ clock }: UserDependencies, { since: text }: CreateReview): Date | null => {
  if (text === undefined) return null
  const since = new Date(text)
  const isTime = !Number.isNaN(since.getTime()) && isLogTime(since.toISOString())
  if (isTime && since.getTime() <= clock.now()) return since
  throw new Problem('validation_failed', {
    reasons: [because(isTime ? 'must_not_be_in_future' : 'must_be_time', { place: '/since' })],
  })
}

const assertOutsider = (principal: UserPrincipal, members: readonly StoredMember[]): void => {
  if (!members.some(({ id }) => id === principal.id)) return
  throw new Problem('role_missing', { reasons: [because('cannot_review_own_company')] })
}
