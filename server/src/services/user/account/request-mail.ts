import { createHash } from 'node:crypto'
import { limits } from '@millseal/contract'
import { uuidv7 } from '../../../lib/uuid.ts'
import type { UserDependencies } from '../dependencies.ts'
import { confirmationMail, passwordResetMail } from '../mailing/link-mail.ts'
import { countLinksSince } from '../users/links.store.ts'
import { findUserByLogin } from '../users/users.store.ts'

const mails = { confirm_email: confirmationMail, reset_password: passwordResetMail }
const hourMs = 60 * 60 * 1_000

/**
 * Queues a mail with a link that anybody may request for anybody, until there were many in an hour; their links still
 * work. Must not reveal whether an address is registered: for an unknown address it queues a job that finds no user, so that
 * the answer and its time are the same.
 */
export const requestMail = async (
  { database, jobs, clock }: UserDependencies,
  purpose: keyof typeof mails,
  email: string,
): Promise<void> => {
  const now = clock.now()
  const nobody = uuidv7(now)
  const user = await findUserByLogin(database.query, email)
  const asked = { userId: user?.id ?? nobody, purpose, since: new Date(now - hourMs) }
  const isEnough = (await countLinksSince(database.query, asked)) >= limits.linkMailsPerHour
  const userId = isEnough ? nobody : asked.userId
  const singletonKey = createHash('sha256').update(email.toLowerCase()).digest('base64url')
  await database.transaction((tx) => jobs.enqueue(tx, mails[purpose], { userId }, { singletonKey }))
}
