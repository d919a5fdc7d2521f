import { Problem } from '../../../lib/problem.ts'
import type { Secret } from '../../../lib/secret.ts'
import type { UserDependencies } from '../dependencies.ts'
import { hashLinkToken } from '../users/link-token.ts'
import { deleteLinksOf, findLink } from '../users/links.store.ts'
import { notify } from '../mailing/security-notice.ts'
import { lockUser, saveEmail } from '../users/user-changes.store.ts'
import { markEmailConfirmed } from '../users/users.store.ts'

/** The link can be opened repeatedly until it expires: mail scanners open links before people do. */
export const confirmEmail = async (
  deps: UserDependencies,
  { token, ip }: { readonly token: Secret; readonly ip: string },
): Promise<void> => {
  const now = new Date(deps.clock.now())
  const wanted = {
    tokenHash: hashLinkToken(token),
    purposes: ['confirm_email', 'confirm_new_email'],
  } as const
  const link = await findLink(deps.database.query, wanted, now)
  if (link === undefined) throw new Problem('link_invalid')
  const { userId, newEmail } = link
  if (newEmail === null) await markEmailConfirmed(deps.database.query, userId, now)
  else await confirmNewEmail(deps, { userId, newEmail, ip })
}

const confirmNewEmail = (
  deps: UserDependencies,
  { userId, newEmail, ip }: { userId: string; newEmail: string; ip: string },
): Promise<void> =>
  deps.database.transaction(async (tx) => {
    const user = await lockUser(tx, userId)
    if (user === undefined) throw new Problem('link_invalid')
    if (user.email === newEmail) return
    if (user.newEmail !== newEmail) throw new Problem('link_invalid')
    const isSaved = await saveEmail(tx, { id: userId, email: newEmail }, new Date(deps.clock.now()))
    if (!isSaved) throw new Problem('user_exists')
    // Links mailed to the previous address must no longer open the account.
    await deleteLinksOf(tx, userId, ['confirm_email', 'reset_password', 'unlock_sign_in'])
    await notify(deps, tx, { userId, notice: 'email_changed', address: user.email })
    await deps.audit.write(tx, {
      actor: `user:${userId}`,
      action: 'users.confirm_email',
      subject: `user:${userId}`,
      ipAddress: ip,
      details: { before: user.email, after: newEmail },
    })
  })
