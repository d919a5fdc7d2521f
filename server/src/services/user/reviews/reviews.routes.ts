import { operations } from '@millseal/contract'
import { type Binding, bind } from '../../../http/binding.ts'
import { listPage } from '../../../http/page.ts'
import type { UserDependencies } from '../dependencies.ts'
import { reviewCompany, toReviewResponse } from './review-company.ts'
import { findReviews } from './reviews.store.ts'

export const reviewRoutes = (deps: UserDependencies): readonly Binding[] => [
  bind(operations.reviewCompany, reviewCompany(deps)),
  bind(operations.listReviews, async (call) => {
    const reviews = await listPage(
      call,
      (page) => findReviews(deps.database.query, call.companyId, page),
      ({ id }) => id,
    )
    return reviews.map(toReviewResponse)
  }),
]
