import { limits } from '@millseal/contract'
import { type MailContent, oneLine } from '../../../lib/mail-layout.ts'
import type { Job } from '../../../ports/jobs/jobs.ts'
import { mailJob, openMillseal, sendMail } from '../account/mail.ts'
import { findUser } from '../account/users.store.ts'
import { findCompanies, type StoredCompany } from '../companies/companies.store.ts'
import type { UserDependencies } from '../dependencies.ts'
import { findReview, type StoredReview } from './reviews.store.ts'

type ReviewJob = { readonly reviewId: string; readonly userId: string }

const longestReason = limits.reviewReason.maxLength

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
    subject:
      review.decision === 'verified'
        ? { en: 'Your company is verified', de: 'Ihre Firma ist bestätigt' }
        : { en: 'Your company was not verified', de: 'Ihre Firma wurde nicht bestätigt' },
    ...resultOf(review, company),
    button: openMillseal(deps),
    after: [],
    why: {
      en: 'You receive this mail because you are an admin of this company.',
      de: 'Sie erhalten diese E-Mail, weil Sie diese Firma verwalten.',
    },
  })
}

const resultOf = (
  { decision, reason }: StoredReview,
  company: StoredCompany,
): Pick<MailContent, 'before'> => {
  const name = `${oneLine(company.name)} (${company.vatId})`
  const remark =
    reason === null
      ? []
      : [{ en: `Reason: ${oneLine(reason, longestReason)}`, de: `Grund: ${oneLine(reason, longestReason)}` }]
  const [result, consequence] =
    decision === 'verified'
      ? [
          { en: `${name} is verified.`, de: `${name} ist bestätigt.` },
          {
            en: 'Members who have enabled multi-factor authentication (MFA) can now use live mode.',
            de: 'Mitglieder mit Multi-Faktor-Authentifizierung (MFA) können jetzt den Live-Modus nutzen.',
          },
        ]
      : [
          { en: `${name} was reviewed and not verified.`, de: `${name} wurde geprüft und nicht bestätigt.` },
          {
            en: 'You cannot use live mode. Test mode still works.',
            de: 'Sie können den Live-Modus nicht nutzen. Der Testmodus steht weiterhin zur Verfügung.',
          },
        ]
  return { before: [result, ...remark, consequence] }
}
