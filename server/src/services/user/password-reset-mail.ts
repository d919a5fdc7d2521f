import type { Job, JobKind } from '../../ports/jobs/jobs.ts'
import { type Mail, MailRefused } from '../../ports/mailer/mailer.ts'
import type { UserRoomDependencies } from './index.ts'
import { hashLinkToken, newLinkToken } from './link-token.ts'
import { insertLink } from './links.store.ts'
import { findUser, type StoredUser } from './users.store.ts'

export const passwordResetMail: JobKind<{ userId: string }> = {
  name: 'user-password-reset-mail',
  retries: 10,
  backoffSeconds: 5,
  expireSeconds: 60,
}

const linkLifetimeMs = 60 * 60 * 1_000

/** The token is made while sending: it exists in the mail and, hashed, in the database, and never in the job. */
export const sendPasswordResetMail =
  (deps: UserRoomDependencies) =>
  async ({ id, data }: Job<{ userId: string }>): Promise<void> => {
    const user = await findUser(deps.database.query, data.userId)
    if (user === undefined || user.status !== 'active') return
    const token = newLinkToken()
    const now = deps.clock.now()
    await insertLink(
      deps.database.query,
      {
        tokenHash: hashLinkToken(token),
        userId: user.id,
        purpose: 'reset_password',
        expiresAt: new Date(now + linkLifetimeMs),
      },
      new Date(now),
    )
    await deps.mailer
      .send(invitation(id, user, `${deps.publicUrl()}/api/users/reset?token=${token.reveal()}`))
      .catch((error: unknown) => {
        if (!(error instanceof MailRefused)) throw error
        deps.log.warn({ userId: user.id, reason: error.message }, 'a password reset mail was refused')
      })
  }

const invitation = (id: string, user: StoredUser, link: string): Mail => ({
  id,
  to: [{ name: user.username, address: user.email }],
  subject: 'Set a new password',
  text: [
    `Hello ${user.username},`,
    '',
    'you can set a new password by opening this link within an hour. It works once:',
    '',
    link,
    '',
    'If you did not ask for it, ignore this mail: your password stays as it is.',
  ].join('\n'),
})
