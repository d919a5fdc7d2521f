import type { Job, JobKind } from '../../ports/jobs/jobs.ts'
import { type Mail, MailRefused } from '../../ports/mailer/mailer.ts'
import type { UserRoomDependencies } from './index.ts'
import { hashLinkToken, newLinkToken } from './link-token.ts'
import { insertLink } from './links.store.ts'
import { findUser } from './users.store.ts'

export const newEmailMail: JobKind<{ userId: string }> = {
  name: 'user-new-email-mail',
  retries: 10,
  backoffSeconds: 5,
  expireSeconds: 60,
}

const linkLifetimeMs = 24 * 60 * 60 * 1_000

/** Goes to the new address, whichever it is by then; its token is made while sending and never in the job. */
export const sendNewEmailMail =
  (deps: UserRoomDependencies) =>
  async ({ id, data }: Job<{ userId: string }>): Promise<void> => {
    const user = await findUser(deps.database.query, data.userId)
    if (user?.newEmail === undefined) return
    const { username, newEmail } = user
    const token = newLinkToken()
    const now = deps.clock.now()
    await insertLink(
      deps.database.query,
      {
        tokenHash: hashLinkToken(token),
        userId: user.id,
        purpose: 'confirm_new_email',
        expiresAt: new Date(now + linkLifetimeMs),
        newEmail,
      },
      new Date(now),
    )
    const link = `${deps.publicUrl()}/api/users/confirm-email?token=${token.reveal()}`
    await deps.mailer
      .send(confirmation(id, { username, address: newEmail }, link))
      .catch((error: unknown) => {
        if (!(error instanceof MailRefused)) throw error
        deps.log.warn({ userId: user.id, reason: error.message }, 'a mail to a new address was refused')
      })
  }

const confirmation = (
  id: string,
  { username, address }: { username: string; address: string },
  link: string,
): Mail => ({
  id,
  to: [{ name: username, address }],
  subject: 'Confirm your new e-mail address',
  text: [
    `Hello ${username},`,
    '',
    'please confirm that this is your new e-mail address by opening this link within 24 hours:',
    '',
    link,
    '',
    'Until then your previous address stays in use. If you did not ask for this, ignore this mail.',
  ].join('\n'),
})
