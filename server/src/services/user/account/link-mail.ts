import type { JobKind } from '../../../ports/jobs/jobs.ts'
import { MailRefused } from '../../../ports/mailer/mailer.ts'
import type { UserDependencies } from '../dependencies.ts'
import { hashLinkToken, newLinkToken } from './link-token.ts'
import { insertLink, type LinkPurpose } from './links.store.ts'

/** A mail whose link proves that its reader owns the address. */
export type LinkMail = {
  /** Of the job, so that a mail sent twice is recognised as one. */
  readonly id: string
  readonly user: { readonly id: string; readonly username: string }
  readonly address: string
  readonly purpose: LinkPurpose
  /** Only where the link is about an address that is not in use yet. */
  readonly newEmail?: string
  readonly lifetimeMs: number
  /** Where the link leads, without its token. */
  readonly path: string
  readonly subject: string
  readonly before: string
  readonly after: string
}

export const linkMailKind = (name: string): JobKind<{ userId: string }> => ({
  name,
  retries: 10,
  backoffSeconds: 5,
  expireSeconds: 60,
})

/** The token is made while sending: it exists in the mail and, hashed, in the database, and never in the job. */
export const sendLinkMail =
  ({ database, mailer, clock, publicUrl, log }: UserDependencies) =>
  async (mail: LinkMail): Promise<void> => {
    const token = newLinkToken()
    const now = clock.now()
    await insertLink(
      database.query,
      {
        tokenHash: hashLinkToken(token),
        userId: mail.user.id,
        purpose: mail.purpose,
        expiresAt: new Date(now + mail.lifetimeMs),
        ...(mail.newEmail === undefined ? {} : { newEmail: mail.newEmail }),
      },
      new Date(now),
    )
    const link = `${publicUrl()}${mail.path}?token=${token.reveal()}`
    await mailer
      .send({
        id: mail.id,
        to: [{ name: mail.user.username, address: mail.address }],
        subject: mail.subject,
        text: [`Hello ${mail.user.username},`, '', mail.before, '', link, '', mail.after].join('\n'),
      })
      .catch((error: unknown) => {
        if (!(error instanceof MailRefused)) throw error
        log.warn({ userId: mail.user.id, purpose: mail.purpose, reason: error.message }, 'a mail was refused')
      })
  }
