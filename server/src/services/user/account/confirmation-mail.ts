import type { Job } from '../../../ports/jobs/jobs.ts'
import type { UserDependencies } from '../dependencies.ts'
import { linkMailKind, sendLinkMail } from './link-mail.ts'
import { findUser } from './users.store.ts'

export const confirmationMail = linkMailKind('user-confirmation-mail')

export const sendConfirmationMail =
  (deps: UserDependencies) =>
  async ({ id, data }: Job<{ userId: string }>): Promise<void> => {
    const user = await findUser(deps.database.query, data.userId)
    if (user === undefined || user.emailConfirmed) return
    await sendLinkMail(deps)({
      id,
      user,
      address: user.email,
      purpose: 'confirm_email',
      lifetimeMs: 24 * 60 * 60 * 1_000,
      path: '/api/users/confirm-email',
      subject: 'Confirm your e-mail address',
      before: 'please confirm your e-mail address by opening this link within 24 hours:',
      after: 'If you did not register, ignore this mail: nothing happens without the link.',
    })
  }
