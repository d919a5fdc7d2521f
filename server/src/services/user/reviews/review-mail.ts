import { oneLine } from '../../../lib/mail-layout.ts'
import type { Job } from '../../../ports/jobs/jobs.ts'
import { mailJob, openMillseal, sendMail, type UserMail } from '../mailing/account-mail.ts'
import { findUser } from '../users/users.store.ts'
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
    ...resultOf(review, company),
    button: openMillseal(deps, company.id),
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
): Pick<UserMail, 'subject' | 'before' | 'facts'> => {
  const name = oneLine(company.name)
  const [subject, consequence] =
    decision === 'verified'
      ? [
          { en: `Your company is verified: ${name}`, de: `Ihre Firma ist bestätigt: ${name}` },
          {
            en: 'Members who have enabled multi-factor authentication (MFA) can now use live mode.',
            de: 'Mitglieder mit Multi-Faktor-Authentifizierung (MFA) können jetzt den Live-Modus nutzen.',
          },
        ]
      : [
          { en: `Your company was not verified: ${name}`, de: `Ihre Firma wurde nicht bestätigt: ${name}` },
          {
            en: 'The operator of this service reviewed your company. You cannot use live mode; test mode still works.',
            de: 'Der Betreiber dieses Dienstes hat Ihre Firma geprüft. Sie können den Live-Modus nicht nutzen; der Testmodus steht weiterhin zur Verfügung.',
          },
        ]
  return {
    subject,
    before: [consequence],
    facts: [
      [{ en: 'Reason', de: 'Grund' }, reason ?? undefined],
      [{ en: 'Company', de: 'Firma' }, `${name} (${company.vatId})`],
    ],
  }
}
