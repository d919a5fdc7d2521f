import type { Logger } from 'pino'
import type { Binding } from '../../http/binding.ts'
import type { Secret } from '../../lib/secret.ts'
import type { Clock } from '../../ports/clock/clock.ts'
import type { Database } from '../../ports/database/database.ts'
import type { JobKind, JobRunner } from '../../ports/jobs/jobs.ts'
import type { Mailer } from '../../ports/mailer/mailer.ts'
import { confirmationMail, sendConfirmationMail } from './confirmation-mail.ts'
import { deleteExpiredLinks } from './links.store.ts'
import { isPasswordOf } from './password.ts'
import { userRoutes } from './user.routes.ts'
import { findUserByLogin, type StoredUser } from './users.store.ts'

export type UserRoomDependencies = {
  readonly database: Database
  readonly jobs: JobRunner
  readonly mailer: Mailer
  readonly clock: Clock
  readonly publicUrl: () => string
  readonly log: Pick<Logger, 'warn'>
}

/** The door of user-service: accounts, and who they say they are. */
export type UserRoom = {
  readonly bindings: readonly Binding[]
  /** The user whose password this is, or nobody; takes equally long either way. */
  signIn(login: string, password: Secret): Promise<StoredUser | undefined>
}

const expiredLinks: JobKind<object> = {
  name: 'user-expired-links',
  retries: 2,
  backoffSeconds: 60,
  expireSeconds: 300,
}

export const createUserRoom = (deps: UserRoomDependencies): UserRoom => {
  deps.jobs.handle(confirmationMail, sendConfirmationMail(deps), { concurrency: 4 })
  deps.jobs.handle(expiredLinks, () => deleteExpiredLinks(deps.database.query, new Date(deps.clock.now())))
  deps.jobs.schedule(expiredLinks, '17 * * * *')
  return {
    bindings: userRoutes(deps),
    async signIn(login, password) {
      const user = await findUserByLogin(deps.database.query, login)
      return (await isPasswordOf(user, password)) ? user : undefined
    },
  }
}
