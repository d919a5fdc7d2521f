import type { Job } from '../../../ports/jobs/jobs.ts'
import type { UserDependencies } from '../dependencies.ts'
import { linkMailKind, sendLinkMail } from './link-mail.ts'
import { findUser } from './users.store.ts'

export const newEmailMail = linkMailKind('user-new-email-mail')

/** Goes to the new address, whichever it is by then. */
export const sendNewEmailMail =
  (deps: UserDependencies) =>
  async ({ id, data }: Job<{ userId: string }>): Promise<void> => {
    const user = await findUser(deps.database.query, data.userId)
    if (user?.newEmail === undefined) return
    await sendLinkMail(deps)({
      id,
      user,
      address: user.newEmail,
      purpose: 'confirm_new_email',
      newEmail: user.newEmail,
      lifetimeMs: 24 * 60 * 60 * 1_000,
      path: '/api/users/confirm-email',
      subject: 'Confirm your new e-mail address',
      before: 'please confirm that this is your new e-mail address by opening this link within 24 hours:',
      after: 'Until then your previous address stays in use. If you did not ask for this, ignore this mail.',
    })
  }
