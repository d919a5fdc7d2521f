import { operations } from '@millseal/contract'
import { type Binding, bindTo } from '../../../http/binding.ts'
import { listPage } from '../../../http/page.ts'
import type { UserDependencies } from '../dependencies.ts'
import { checkCompanyName } from './name-check.ts'
import { reviewCompany } from './review-company.ts'
import { listReviewQueue, readEvidence } from './review-queue.ts'
import { toReviewResponse } from './review-response.ts'
import { findReviews } from './reviews.store.ts'

export const reviewRoutes = (deps: UserDependencies): readonly Binding[] => {
  const bind = bindTo(deps)
  return [
    bind(operations.reviewCompany, reviewCompany),
    bind(operations.listReviewQueue, listReviewQueue),
    bind(operations.readEvidence, readEvidence),
    bind(operations.checkCompanyName, checkCompanyName),
    bind(operations.listReviews, async ({ database }, call) => {
      const reviews = await listPage(
        call,
        (page) => findReviews(database.query, call.companyId, page),
        ({ id }) => id,
      )
      return reviews.map(toReviewResponse)
    }),
  ]
}
