import type { Job, JobKind } from '../../../ports/jobs/jobs.ts'
import { MailRefused } from '../../../ports/mailer/mailer.ts'
import { findCompanies, type StoredCompany } from '../companies/companies.store.ts'
import type { UserDependencies } from '../dependencies.ts'
import { findReview, type StoredReview } from './reviews.store.ts'
import { findUser } from '../account/users.store.ts'

type ReviewMail = { readonly reviewId: string; readonly userId: string }

export const reviewMail: JobKind<ReviewMail> = {
  name: 'user-review-mail',
  retries: 10,
  backoffSeconds: 5,
  expireSeconds: 60,
}

/** Tells one admin of a company how its review ended. */
export const sendReviewMail =
  (deps: UserDependencies) =>
  async ({ id, data }: Job<ReviewMail>): Promise<void> => {
    const review = await findReview(deps.database.query, data.reviewId)
    const [company] =
      review === undefined ? [] : await findCompanies(deps.database.query, { id: review.companyId })
    const admin = await findUser(deps.database.query, data.userId)
    if (review === undefined || company === undefined || admin === undefined) return
    await deps.mailer
      .send({
        id,
        to: [{ name: admin.username, address: admin.email }],
        subject:
          review.decision === 'verified' ? 'Your company is verified' : 'Your company was not verified',
        text: [`Hello ${admin.username},`, '', ...outcome(review, company), '', deps.publicUrl()].join('\n'),
      })
      .catch((error: unknown) => {
        if (!(error instanceof MailRefused)) throw error
        deps.log.warn({ userId: admin.id, reason: error.message }, 'a review mail was refused')
      })
  }

const outcome = ({ decision, reason }: StoredReview, { name, vatId }: StoredCompany): string[] => {
  const remark = reason === undefined ? [] : ['', `Reason: ${reason}`]
  if (decision === 'verified') {
    return [
      `${name} (${vatId}) is verified.`,
      ...remark,
      '',
      'Live resources are open to members who have enabled multi-factor authentication (MFA).',
    ]
  }
  return [
    `${name} (${vatId}) was reviewed and not verified.`,
    ...remark,
    '',
    'Live resources stay closed. Test mode goes on working.',
  ]
}
