import type { operations, Review } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import type { UserPrincipal } from '../../../http/principal.ts'
import { Problem } from '../../../lib/problem.ts'
import { uuidv7 } from '../../../lib/uuid.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import { findCompanies, lockCompany, saveCompany, type StoredCompany } from '../companies/companies.store.ts'
import { tellOfCompany } from '../companies/company-news.ts'
import { toCompanyResponse } from '../companies/company-response.ts'
import { gatherEvidence } from './gather-evidence.ts'
import type { UserDependencies } from '../dependencies.ts'
import { findMembers, type StoredMember } from '../members/members.store.ts'
import { reviewMail } from './review-mail.ts'
import { insertReview, type StoredReview } from './reviews.store.ts'

type ReviewCall = Call<typeof operations.reviewCompany>

/** Decides whether a company is real, and keeps what was known when it was decided. */
export const reviewCompany =
  (deps: UserDependencies) =>
  async (call: ReviewCall): Promise<Review> => {
    const { params, body, principal, client } = call
    if (deps.operatorsNeedMfa && !principal.hasMfa) throw new Problem('mfa_required')
    if (body.decision === 'rejected' && (body.reason ?? '').trim() === '') {
      throw new Problem('validation_failed', { details: ['/reason is required when a company is rejected'] })
    }
    const [company] = await findCompanies(deps.database.query, { id: params.id })
    if (company === undefined) throw new Problem('not_found')
    const registry = { vatRegistry: deps.vatRegistry.fresh, clock: deps.clock }
    const evidence = await gatherEvidence(company.vatId, registry, call.signal)
    return call.commit(async (tx) => {
      const locked = await lockCompany(tx, company.id)
      if (locked === undefined) throw new Problem('not_found')
      const members = await findMembers(tx, [locked.id])
      assertOutsider(principal, members)
      const now = new Date(deps.clock.now())
      const review: StoredReview = {
        id: uuidv7(now.getTime()),
        companyId: locked.id,
        reviewer: { id: principal.id, username: principal.username },
        decision: body.decision,
        reason: body.reason,
        evidence,
        createdAt: now,
      }
      await insertReview(tx, review)
      const decided = await decide(tx, locked, review)
      await tellOfCompany(deps)(tx, {
        company: toCompanyResponse(decided, members),
        action: 'update_one',
        audited: 'companies.review',
        details: {
          review: review.id,
          decision: review.decision,
          reason: review.reason,
          evidence,
          wasVerified: locked.verifiedAt !== undefined,
        },
        principal,
        ip: client.ip,
      })
      for (const { user } of members.filter(({ role }) => role === 'admin')) {
        await deps.jobs.enqueue(tx, reviewMail, { reviewId: review.id, userId: user.id })
      }
      return toReviewResponse(review)
    })
  }

const decide = async (
  tx: Transaction,
  company: StoredCompany,
  { decision, createdAt }: StoredReview,
): Promise<StoredCompany> => {
  const verifiedAt = decision === 'verified' ? (company.verifiedAt ?? createdAt) : undefined
  const decided = { ...company, verifiedAt, updatedAt: createdAt }
  await saveCompany(tx, decided, createdAt)
  return decided
}

const assertOutsider = (principal: UserPrincipal, members: readonly StoredMember[]): void => {
  if (!members.some(({ user }) => user.id === principal.id)) return
  throw new Problem('role_missing', { details: ['Nobody reviews a company they belong to'] })
}

export const toReviewResponse = (review: StoredReview): Review => ({
  id: review.id,
  company: review.companyId,
  decision: review.decision,
  ...(review.reason === undefined ? {} : { reason: review.reason }),
  reviewer: review.reviewer,
  evidence: review.evidence,
  createdAt: review.createdAt.toISOString(),
})
