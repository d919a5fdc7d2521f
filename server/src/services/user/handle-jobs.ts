import { limits } from '@millseal/contract'
import { eraseAll } from '../../lib/erase.ts'
import { utcDay } from '../../lib/utc-day.ts'
import type { Job, JobKind } from '../../ports/jobs/jobs.ts'
import {
  confirmationMail,
  newEmailMail,
  passwordResetMail,
  sendConfirmationMail,
  sendNewEmailMail,
  sendPasswordResetMail,
} from './mailing/link-mail.ts'
import { deleteExpiredLinks } from './users/links.store.ts'
import { securityNotice, sendSecurityNotice } from './mailing/security-notice.ts'
import { unconfirmedAfter } from './authenticators/authenticators.ts'
import { deleteUnconfirmedFactors } from './authenticators/factors.store.ts'
import { fourEyesNotice } from './companies/change-four-eyes.ts'
import { sendFourEyesNotice } from './mailing/four-eyes-notice.ts'
import type { UserDependencies } from './dependencies.ts'
import { invitationMail, sendInvitationMail } from './invitations/invitation-mail.ts'
import { eraseInvitations } from './invitations/invitations.store.ts'
import { eraseMailRecords } from './mailing/company-mails.store.ts'
import { quotaMail, sendQuotaMail } from './mailing/quota-mail.ts'
import { quorumMail, sendQuorumMail } from './mailing/quorum-mail.ts'
import { eraseQuotas } from './quotas/daily-quotas.store.ts'
import { deleteExpiredChallenges } from './authenticators/passkeys.store.ts'
import { reviewMail, sendReviewMail } from './reviews/review-mail.ts'
import { forgetOldAttempts } from './sign-in/sign-in-attempts.ts'

const expiredLinks: JobKind<object> = {
  name: 'user-expired-links',
  retries: 2,
  backoffSeconds: 60,
  expireSeconds: 300,
}
const expiredAuthenticators: JobKind<object> = { ...expiredLinks, name: 'user-expired-authenticators' }

const chainedAudit: JobKind<object> = { ...expiredLinks, name: 'user-audit-chain' }

const expiredMails: JobKind<object> = { ...expiredLinks, name: 'user-expired-mails' }
const dayMs = 86_400_000

/** The jobs of the service, and when they run by the clock. */
export const handleJobs = (deps: UserDependencies): void => {
  const { jobs, database, clock } = deps
  const handleMail = <Data extends object>(
    kind: JobKind<Data>,
    send: (deps: UserDependencies, job: Job<Data>) => Promise<void>,
  ) => jobs.handle(kind, (job) => send(deps, job), { concurrency: 4 })
  handleMail(confirmationMail, sendConfirmationMail)
  handleMail(newEmailMail, sendNewEmailMail)
  handleMail(passwordResetMail, sendPasswordResetMail)
  handleMail(securityNotice, sendSecurityNotice)
  handleMail(fourEyesNotice, sendFourEyesNotice)
  handleMail(reviewMail, sendReviewMail)
  handleMail(quotaMail, sendQuotaMail)
  handleMail(quorumMail, sendQuorumMail)
  handleMail(invitationMail, sendInvitationMail)
  jobs.handle(chainedAudit, async () => {
    await deps.auditChain.extend(database)
  })
  jobs.schedule(chainedAudit, '* * * * *')
  jobs.handle(expiredMails, async ({ signal }) => {
    const now = await deps.retention.advance(expiredMails.name)
    const before = new Date(now.getTime() - limits.certificateRetentionDays * dayMs)
    await eraseAll(() => eraseMailRecords(database.query, before), signal)
    await eraseQuotas(database.query, utcDay(now))
  })
  jobs.schedule(expiredMails, '37 * * * *')
  jobs.handle(expiredLinks, async () => {
    await deleteExpiredLinks(database.query, new Date(clock.now()))
    await forgetOldAttempts(deps)
    await eraseInvitations(database.query, new Date(clock.now() - limits.invitations.storedDays * dayMs))
  })
  jobs.schedule(expiredLinks, '17 * * * *')
  jobs.handle(expiredAuthenticators, async () => {
    await deleteUnconfirmedFactors(database.query, unconfirmedAfter(clock.now()))
    await deleteExpiredChallenges(database.query, new Date(clock.now()))
  })
  jobs.schedule(expiredAuthenticators, '27 * * * *')
}
