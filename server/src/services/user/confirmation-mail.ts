import type { Job, JobKind } from '../../ports/jobs/jobs.ts'
import { type Mail, MailRefused } from '../../ports/mailer/mailer.ts'
import type { UserRoomDependencies } from './index.ts'
import { hashLinkToken, newLinkToken } from './link-token.ts'
import { insertLink } from './links.store.ts'
import { findUser, type StoredUser } from './users.store.ts'

export const confirmationMail: JobKind<{ userId: string }> = {
  name: 'user-confirmation-mail',
  retries: 10,
  backoffSeconds: 5,
  expireSeconds: 60,
}

const linkLifetimeMs = 24 * 60 * 60 * 1_000

/** The token is made while sending: it exists in the mail and, hashed, in the database, and never in the job. */
export const sendConfirmationMail =
  (deps: UserRoomDependencies) =>
  async ({ id, data }: Job<{ userId: string }>): Promise<void> => {
    const user = await findUser(deps.database.query, data.userId)
    if (user === undefined || user.emailConfirmed) return
    const token = newLinkToken()
    const now = deps.clock.now()
    await insertLink(
      deps.database.query,
      {
        tokenHash: hashLinkToken(token),
        userId: user.id,
        purpose: 'confirm_email',
        expiresAt: new Date(now + linkLifetimeMs),
      },
      new Date(now),
    )
    await deps.mailer
      .send(confirmation(id, user, `${deps.publicUrl()}/api/users/confirm-email?token=${token.reveal()}`))
      .catch((error: unknown) => {
        if (!(error instanceof MailRefused)) throw error
        deps.log.warn({ userId: user.id, reason: error.message }, 'a confirmation mail was refused')
      })
  }

const confirmation = (id: string, user: StoredUser, link: string): Mail => ({
  id,
  to: [{ name: user.username, address: user.email }],
  subject: 'Confirm your e-mail address',
  text: [
    `Hello ${user.username},`,
    '',
    'please confirm your e-mail address by opening this link within 24 hours:',
    '',
    link,
    '',
    'If you did not register, ignore this mail: nothing happens without the link.',
  ].join('\n'),
})
