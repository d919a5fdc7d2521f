import type { Database } from '../../ports/database/database.ts'
import type { JobQueue } from '../../ports/jobs/jobs.ts'
import { confirmationMail } from './confirmation-mail.ts'
import { findUserByLogin } from './users.store.ts'

/** Says the same to everybody: whether an address is registered is its owner's business. */
export const resendConfirmation =
  (deps: { database: Database; jobs: JobQueue }) =>
  async (email: string): Promise<{ message: string }> => {
    await deps.database.transaction(async (tx) => {
      const user = await findUserByLogin(tx, email)
      if (user === undefined || user.emailConfirmed) return
      await deps.jobs.enqueue(tx, confirmationMail, { userId: user.id }, { singletonKey: user.id })
    })
    return { message: 'If this address is registered and not confirmed yet, a mail is on its way.' }
  }
