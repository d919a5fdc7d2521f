import type { JobKind } from '../../../ports/jobs/jobs.ts'
import { MailRefused } from '../../../ports/mailer/mailer.ts'
import type { UserDependencies } from '../dependencies.ts'
import type { StoredUser } from './users.store.ts'

export const mailJob = <Data extends object>(name: string): JobKind<Data> => ({
  name,
  retries: 10,
  backoffSeconds: 5,
  expireSeconds: 60,
})

export type UserMail = {
  /** The id of the job: it identifies a mail that was sent twice. */
  readonly id: string
  readonly user: Pick<StoredUser, 'id' | 'username'>
  readonly address: string
  readonly subject: string
  readonly paragraphs: readonly string[]
}

/** Logs a refused mail and does not retry it: the mail server would refuse it again. */
export const sendMail = async (
  { mailer, log }: UserDependencies,
  { id, user, address, subject, paragraphs }: UserMail,
): Promise<void> => {
  const to = [{ name: user.username, address }]
  const text = [`Hello ${user.username},`, ...paragraphs].join('\n\n')
  await mailer.send({ id, to, subject, text }).catch((error: unknown) => {
    if (!(error instanceof MailRefused)) throw error
    log.warn({ userId: user.id, subject, reason: error.message }, 'The mail server refused a mail to a user')
  })
}
