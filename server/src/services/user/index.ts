import type { Logger } from 'pino'
import type { FindStanding } from '../../http/access.ts'
import type { Binding } from '../../http/binding.ts'
import type { Audit } from '../../ports/audit/audit.ts'
import type { Clock } from '../../ports/clock/clock.ts'
import type { Database } from '../../ports/database/database.ts'
import type { JobKind, JobRunner } from '../../ports/jobs/jobs.ts'
import type { Mailer } from '../../ports/mailer/mailer.ts'
import type { Outbox } from '../../ports/outbox/outbox.ts'
import { confirmationMail, sendConfirmationMail } from './confirmation-mail.ts'
import { deleteExpiredLinks } from './links.store.ts'
import { type Notify, notifyBy, securityNotice, sendSecurityNotice } from './security-notice.ts'
import { type Credentials, signIn } from './sign-in.ts'
import { findStanding } from './standing.store.ts'
import { userRoutes } from './user.routes.ts'
import { findSigner, type Signer, type StoredUser } from './users.store.ts'

export type UserRoomDependencies = {
  readonly database: Database
  readonly jobs: JobRunner
  readonly mailer: Mailer
  readonly clock: Clock
  readonly publicUrl: () => string
  readonly log: Pick<Logger, 'warn'>
  readonly outbox: Outbox
  readonly audit: Audit
}

export type { Credentials } from './sign-in.ts'

/** The door of user-service: accounts, and who they say they are. */
export type UserRoom = {
  readonly bindings: readonly Binding[]
  readonly findStanding: FindStanding
  /** Whoever holds a session, with what decides whether it still counts. */
  findSigner(id: string): Promise<Signer | undefined>
  /** Throws what stands in the way of signing in: wrong credentials, or the state of the account. */
  signIn(credentials: Credentials): Promise<StoredUser>
  /** Mails a person about a change, in the transaction of the change. */
  notify: Notify
}

const expiredLinks: JobKind<object> = {
  name: 'user-expired-links',
  retries: 2,
  backoffSeconds: 60,
  expireSeconds: 300,
}

export const createUserRoom = (deps: UserRoomDependencies): UserRoom => {
  deps.jobs.handle(confirmationMail, sendConfirmationMail(deps), { concurrency: 4 })
  deps.jobs.handle(securityNotice, sendSecurityNotice(deps), { concurrency: 4 })
  deps.jobs.handle(expiredLinks, () => deleteExpiredLinks(deps.database.query, new Date(deps.clock.now())))
  deps.jobs.schedule(expiredLinks, '17 * * * *')
  return {
    bindings: userRoutes(deps),
    findStanding: (companyId, principal) =>
      findStanding(deps.database.query, companyId, principal.kind === 'user' ? principal.id : undefined),
    findSigner: (id) => findSigner(deps.database.query, id),
    signIn: signIn(deps),
    notify: notifyBy(deps),
  }
}
