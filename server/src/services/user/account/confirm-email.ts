import { Problem } from '../../../lib/problem.ts'
import type { Secret } from '../../../lib/secret.ts'
import type { UserDependencies } from '../dependencies.ts'
import { hashLinkToken } from './link-token.ts'
import { deleteLinksOf, findLink } from './links.store.ts'
import { notifyBy } from './security-notice.ts'
import { lockUser, saveEmail } from './user-changes.store.ts'
import { markEmailConfirmed } from './users.store.ts'

type Dependencies = Pick<UserDependencies, 'database' | 'clock' | 'jobs' | 'audit'>

/** Harmless to repeat until the link expires: mail scanners open links before people do. */
export const confirmEmail =
  (deps: Dependencies) =>
  async (token: Secret, client: { ip: string }): Promise<void> => {
    const now = new Date(deps.clock.now())
    const wanted = {
      tokenHash: hashLinkToken(token),
      purposes: ['confirm_email', 'confirm_new_email'],
    } as const
    const link = await findLink(deps.database.query, wanted, now)
    if (link === undefined) throw new Problem('link_invalid')
    if (link.newEmail === undefined) await markEmailConfirmed(deps.database.query, link.userId, now)
    else await takeNewEmail(deps, { userId: link.userId, newEmail: link.newEmail, ip: client.ip })
  }

const takeNewEmail = (
  deps: Dependencies,
  { userId, newEmail, ip }: { userId: string; newEmail: string; ip: string },
): Promise<void> =>
  deps.database.transaction(async (tx) => {
    const user = await lockUser(tx, userId)
    if (user === undefined) throw new Problem('link_invalid')
    if (user.email === newEmail) return
    if (user.newEmail !== newEmail) throw new Problem('link_invalid')
    const isSaved = await saveEmail(tx, { id: userId, email: newEmail }, new Date(deps.clock.now()))
    if (!isSaved) throw new Problem('user_exists')
    // What was mailed to the previous address must not open the account any more.
    await deleteLinksOf(tx, userId, ['confirm_email', 'reset_password'])
    await notifyBy(deps)(tx, { userId, notice: 'email_changed', address: user.email })
    await deps.audit.write(tx, {
      actor: `user:${userId}`,
      action: 'users.confirm_email',
      subject: `user:${userId}`,
      ipAddress: ip,
      details: { before: user.email, after: newEmail },
    })
  })
