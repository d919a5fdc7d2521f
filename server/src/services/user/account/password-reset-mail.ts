import type { Job } from '../../../ports/jobs/jobs.ts'
import type { UserDependencies } from '../dependencies.ts'
import { linkMailKind, sendLinkMail } from './link-mail.ts'
import { findUser } from './users.store.ts'

export const passwordResetMail = linkMailKind('user-password-reset-mail')

export const sendPasswordResetMail =
  (deps: UserDependencies) =>
  async ({ id, data }: Job<{ userId: string }>): Promise<void> => {
    const user = await findUser(deps.database.query, data.userId)
    if (user === undefined || user.status !== 'active') return
    await sendLinkMail(deps)({
      id,
      user,
      address: user.email,
      purpose: 'reset_password',
      lifetimeMs: 60 * 60 * 1_000,
      path: '/api/users/reset',
      subject: 'Set a new password',
      before: 'you can set a new password by opening this link within an hour. It works once:',
      after: 'If you did not ask for it, ignore this mail: your password stays as it is.',
    })
  }
