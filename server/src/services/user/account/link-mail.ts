import type { Job } from '../../../ports/jobs/jobs.ts'
import type { UserDependencies } from '../dependencies.ts'
import { hashLinkToken, newLinkToken } from './link-token.ts'
import { insertLink, type LinkPurpose } from './links.store.ts'
import { mailJob, sendMail } from './mail.ts'
import { findUser, type StoredUser } from './users.store.ts'

type UserJob = { readonly userId: string }

export const confirmationMail = mailJob<UserJob>('user-confirmation-mail')
export const newEmailMail = mailJob<UserJob>('user-new-email-mail')
export const passwordResetMail = mailJob<UserJob>('user-password-reset-mail')

const linkMails = {
  confirm_email: {
    lifetimeHours: 24,
    path: '/api/users/confirm-email',
    subject: 'Confirm your e-mail address',
    before: 'Please confirm your e-mail address by opening this link within 24 hours:',
    after: 'If you did not register, ignore this mail. Nothing happens unless the link is opened.',
  },
  confirm_new_email: {
    lifetimeHours: 24,
    path: '/api/users/confirm-email',
    subject: 'Confirm your new e-mail address',
    before: 'Please confirm that this is your new e-mail address by opening this link within 24 hours:',
    after:
      'Until then, your account keeps its previous address. If you did not request this, ignore this mail.',
  },
  reset_password: {
    lifetimeHours: 1,
    path: '/api/users/reset',
    subject: 'Set a new password',
    before: 'Open this link within an hour to set a new password. It works once:',
    after: 'If you did not request this, ignore this mail. Your password stays the same.',
  },
} as const satisfies Record<LinkPurpose, object>

export const sendConfirmationMail = async (
  deps: UserDependencies,
  { id, data }: Job<UserJob>,
): Promise<void> => {
  const user = await findUser(deps.database.query, data.userId)
  if (user === undefined || user.emailConfirmedAt !== null) return
  await sendLinkMail(deps, { id, user, address: user.email, purpose: 'confirm_email' })
}

/** Sends the link to the new address the user has when the job runs. */
export const sendNewEmailMail = async (deps: UserDependencies, { id, data }: Job<UserJob>): Promise<void> => {
  const user = await findUser(deps.database.query, data.userId)
  const newEmail = user?.newEmail ?? undefined
  if (user === undefined || newEmail === undefined) return
  await sendLinkMail(deps, { id, user, address: newEmail, purpose: 'confirm_new_email', newEmail })
}

export const sendPasswordResetMail = async (
  deps: UserDependencies,
  { id, data }: Job<UserJob>,
): Promise<void> => {
  const user = await findUser(deps.database.query, data.userId)
  if (user?.status !== 'active') return
  await sendLinkMail(deps, { id, user, address: user.email, purpose: 'reset_password' })
}

/** Opening the link proves that the user owns the address. */
type LinkMail = {
  readonly id: string
  readonly user: StoredUser
  readonly address: string
  readonly purpose: LinkPurpose
  readonly newEmail?: string
}

/** Creates the token while sending: the mail contains it, the database its hash, and the job neither. */
const sendLinkMail = async (
  deps: UserDependencies,
  { id, user, address, purpose, newEmail }: LinkMail,
): Promise<void> => {
  const { path, lifetimeHours, subject, before, after } = linkMails[purpose]
  const token = newLinkToken()
  const now = deps.clock.now()
  await insertLink(deps.database.query, {
    tokenHash: hashLinkToken(token),
    userId: user.id,
    purpose,
    newEmail,
    createdAt: new Date(now),
    expiresAt: new Date(now + lifetimeHours * 60 * 60 * 1_000),
  })
  const link = `${deps.publicUrl()}${path}?token=${token.reveal()}`
  await sendMail(deps, { id, user, address, subject, paragraphs: [before, link, after] })
}
