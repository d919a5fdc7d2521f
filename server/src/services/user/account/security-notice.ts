import type { Transaction } from '../../../ports/database/database.ts'
import type { Job, JobKind } from '../../../ports/jobs/jobs.ts'
import { MailRefused } from '../../../ports/mailer/mailer.ts'
import type { UserDependencies } from '../dependencies.ts'
import { findUser } from './users.store.ts'

/** What a person is told by mail, because whoever did it might not be that person. */
const notices = {
  password_changed: 'Your password was changed, and all other sessions were signed out.',
  email_changed: 'The e-mail address of your account was changed.',
  authenticator_added: 'An authenticator was added to your account.',
  authenticator_removed: 'An authenticator was removed from your account.',
  mfa_disabled:
    'Multi-factor authentication was switched off: the last authenticator of your account was removed.',
  recovery_code_created: 'A new recovery code was made for your account. The previous one no longer works.',
  code_locked:
    'Somebody who knows your password entered wrong codes until the authenticator was locked for an hour.',
  recovery_code_used: 'The recovery code of your account was used to sign in.',
  sessions_ended:
    'A session of your account was signed out, because a refresh token came back that had been replaced: somebody may have a copy of it.',
  long_lived_token_created: 'A long-lived access token was created in your name.',
  issuer_linked: 'Your account can now be signed in to through the sign-in service of your organisation.',
} as const

export type Notice = keyof typeof notices

export const securityNotice: JobKind<{ userId: string; notice: Notice; address?: string }> = {
  name: 'user-security-notice',
  retries: 10,
  backoffSeconds: 5,
  expireSeconds: 60,
}

export type Notify = (
  tx: Transaction,
  to: { userId: string; notice: Notice; address?: string },
) => Promise<void>

/** Part of the transaction of the change: nobody's account changes without a mail on its way. */
export const notifyBy =
  ({ jobs }: Pick<UserDependencies, 'jobs'>): Notify =>
  (tx, to) =>
    jobs.enqueue(tx, securityNotice, to)

export const sendSecurityNotice =
  (deps: UserDependencies) =>
  async ({ id, data }: Job<{ userId: string; notice: Notice; address?: string }>): Promise<void> => {
    const user = await findUser(deps.database.query, data.userId)
    if (user === undefined) return
    await deps.mailer
      .send({
        id,
        to: [{ name: user.username, address: data.address ?? user.email }],
        subject: 'A change to the security of your account',
        text: [
          `Hello ${user.username},`,
          '',
          notices[data.notice],
          '',
          'If this was you, there is nothing to do. If it was not, set a new password now:',
          '',
          deps.publicUrl(),
        ].join('\n'),
      })
      .catch((error: unknown) => {
        if (!(error instanceof MailRefused)) throw error
        deps.log.warn({ userId: user.id, reason: error.message }, 'a security notice was refused')
      })
  }
