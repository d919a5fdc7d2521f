import type { Transaction } from '../../../ports/database/database.ts'
import type { Job } from '../../../ports/jobs/jobs.ts'
import type { UserDependencies } from '../dependencies.ts'
import { mailJob, sendMail } from './mail.ts'
import { findUser } from './users.store.ts'

/** Changes that somebody other than the owner of the account may have made. */
const notices = {
  password_changed: 'Your password was changed, and all other sessions were signed out.',
  email_changed: 'The e-mail address of your account was changed.',
  authenticator_added: 'An authenticator was added to your account.',
  authenticator_removed: 'An authenticator was removed from your account.',
  mfa_disabled:
    'Multi-factor authentication was switched off because the last authenticator of your account was removed.',
  recovery_code_created:
    'A new recovery code was created for your account. The previous one no longer works.',
  code_locked:
    'Someone who knows your password entered wrong codes until the authenticator was locked for an hour.',
  recovery_code_used: 'The recovery code of your account was used to sign in.',
  sessions_ended:
    'A session of your account was signed out because a refresh token was used after it had been replaced. Someone may have a copy of it.',
  long_lived_token_created: 'A long-lived access token was created in your name.',
  issuer_linked: 'You can now sign in to your account through the sign-in service of your organisation.',
} as const

export type Notice = keyof typeof notices

type NoticeTo = {
  readonly userId: string
  readonly notice: Notice
  /** Instead of the current address of the user. */
  readonly address?: string
}

export const securityNotice = mailJob<NoticeTo>('user-security-notice')

export type Notify = (tx: Transaction, to: NoticeTo) => Promise<void>

/** Runs in the transaction of the change: no change is committed without its mail. */
export const notify = ({ jobs }: UserDependencies, tx: Transaction, to: NoticeTo): Promise<void> =>
  jobs.enqueue(tx, securityNotice, to)

export const sendSecurityNotice = async (
  deps: UserDependencies,
  { id, data }: Job<NoticeTo>,
): Promise<void> => {
  const user = await findUser(deps.database.query, data.userId)
  if (user === undefined) return
  await sendMail(deps, {
    id,
    user,
    address: data.address ?? user.email,
    subject: 'A change to the security of your account',
    paragraphs: [
      notices[data.notice],
      'If this was you, you do not need to do anything. If it was not, set a new password now:',
      deps.publicUrl(),
    ],
  })
}
