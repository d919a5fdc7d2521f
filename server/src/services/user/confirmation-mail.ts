import type { Clock } from '../../ports/clock/clock.ts'
import type { Database } from '../../ports/database/database.ts'
import type { Job, JobKind } from '../../ports/jobs/jobs.ts'
import type { Mailer } from '../../ports/mailer/mailer.ts'
import { hashLinkToken, newLinkToken } from './link-token.ts'
import { insertLink } from './links.store.ts'
import { findUser } from './users.store.ts'

export const confirmationMail: JobKind<{ userId: string }> = {
  name: 'user-confirmation-mail',
  retries: 10,
  backoffSeconds: 5,
  expireSeconds: 60,
}

const linkLifetimeMs = 24 * 60 * 60 * 1_000

/** The token is made while sending: it exists in the mail and, hashed, in the database, and never in the job. */
export const sendConfirmationMail =
  (deps: { database: Database; mailer: Mailer; clock: Clock; publicUrl: () => string }) =>
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
    await deps.mailer.send({
      id,
      to: [{ name: user.username, address: user.email }],
      subject: 'Confirm your e-mail address',
      text: [
        `Hello ${user.username},`,
        '',
        'please confirm your e-mail address by opening this link within 24 hours:',
        '',
        `${deps.publicUrl()}/api/users/confirm-email?token=${token.reveal()}`,
        '',
        'If you did not register, ignore this mail: nothing happens without the link.',
      ].join('\n'),
    })
  }
