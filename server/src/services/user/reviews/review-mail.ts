import type { Job } from '../../../ports/jobs/jobs.ts'
import { mailJob, sendMail } from '../account/mail.ts'
import { findUser } from '../account/users.store.ts'
import { findCompanies, type StoredCompany } from '../companies/companies.store.ts'
import type { UserDependencies } from '../dependencies.ts'
import { findReview, type StoredReview } from './reviews.store.ts'

type ReviewJob = { readonly reviewId: string; readonly userId: string }

export const reviewMail = mailJob<ReviewJob>('user-review-mail')

/** Mails the result of a review to one admin of the company. */
export const sendReviewMail = async (deps: UserDependencies, { id, data }: Job<ReviewJob>): Promise<void> => {
  const { query } = deps.database
  const review = await findReview(query, data.reviewId)
  if (review === undefined) return
  const [company] = await findCompanies(query, { id: review.companyId })
  const user = await findUser(query, data.userId)
  if (company === undefined || user === undefined) return
  await sendMail(deps, {
    id,
    user,
    address: user.email,
    subject: review.decision === 'verified' ? 'Your company is verified' : 'Your company was not verified',
    paragraphs: [...resultOf(review, company), deps.publicUrl()],
  })
}

const resultOf = ({ decision, reason }: StoredReview, { name, vatId }: StoredCompany): string[] => {
  const remark = reason === null ? [] : [`Reason: ${reason}`]
  return decision === 'verified'
    ? [
        `${name} (${vatId}) is verified.`,
        ...remark,
        'Members who have enabled multi-factor authentication (MFA) can now use live mode.',
      ]
    : [
        `${name} (${vatId}) was reviewed and not verified.`,
        ...remark,
        'You cannot use live mode. Test mode still works.',
      ]
}
