import type { operations, Review } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import { uuidv7 } from '../../../lib/uuid.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import { insertReview, type StoredReview } from './reviews.store.ts'

/** Stores who decided what about a company, and what was known then. */
export const storeReview = (
  tx: Transaction,
  { body: { decision, reason }, principal }: Call<typeof operations.reviewCompany>,
  {
    company,
    evidence,
    now,
    ...decided
  }: {
    readonly company: { readonly id: string; readonly name: string }
    readonly evidence: Review['evidence']
    readonly since: Date | null
    readonly revokeKeys: boolean
    readonly now: Date
  },
): Promise<StoredReview> =>
  insertReview(tx, {
    id: uuidv7(now.getTime()),
    companyId: company.id,
    companyName: company.name,
    reviewerId: principal.id,
    reviewerUsername: principal.username,
    decision,
    reason,
    evidence: JSON.stringify(evidence),
    createdAt: now,
    ...decided,
  })
