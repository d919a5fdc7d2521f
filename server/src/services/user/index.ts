import type { CompanyReference } from '@millseal/contract'
import type { Logger } from 'pino'
import type { FindStanding } from '../../http/access.ts'
import type { Binding } from '../../http/binding.ts'
import type { Secret } from '../../lib/secret.ts'
import type { Audit } from '../../ports/audit/audit.ts'
import type { Clock } from '../../ports/clock/clock.ts'
import type { Database, Query, Transaction } from '../../ports/database/database.ts'
import type { JobKind, JobRunner } from '../../ports/jobs/jobs.ts'
import type { Keystore } from '../../ports/keystore/keystore.ts'
import type { Mailer } from '../../ports/mailer/mailer.ts'
import type { Outbox } from '../../ports/outbox/outbox.ts'
import type { VatRegistry } from '../../ports/vat-registry/vat-registry.ts'
import { companyRoutes } from './companies.routes.ts'
import { findCompanies, lockCompany } from './companies.store.ts'
import { confirmationMail, sendConfirmationMail } from './confirmation-mail.ts'
import { unconfirmedAfter } from './authenticators.ts'
import { deleteUnconfirmedFactors } from './factors.store.ts'
import { deleteExpiredLinks } from './links.store.ts'
import { meetByIssuer, type Stranger } from './meet-by-issuer.ts'
import { mfaRoutes } from './mfa.routes.ts'
import { memberRoutes } from './members.routes.ts'
import { reviewMail, sendReviewMail } from './review-mail.ts'
import { reviewRoutes } from './reviews.routes.ts'
import { assertSecondFactor } from './second-factor.ts'
import { newEmailMail, sendNewEmailMail } from './new-email-mail.ts'
import { passwordResetMail, sendPasswordResetMail } from './password-reset-mail.ts'
import { type Notify, notifyBy, securityNotice, sendSecurityNotice } from './security-notice.ts'
import { checkPassword, type Credentials, signIn } from './sign-in.ts'
import { findStanding, isActiveMember } from './standing.store.ts'
import { userRoutes } from './user.routes.ts'
import { findSigner, holdCredentials, type Signer, type StoredUser } from './users.store.ts'

export type UserRoomDependencies = {
  readonly database: Database
  readonly jobs: JobRunner
  readonly mailer: Mailer
  readonly keystore: Keystore
  readonly clock: Clock
  readonly publicUrl: () => string
  readonly log: Pick<Logger, 'warn'>
  readonly outbox: Outbox
  readonly audit: Audit
  readonly vatRegistry: {
    /** Asked anew every time: what a decision is based on. */
    readonly fresh: VatRegistry
    readonly remembered: VatRegistry
  }
  /** Whether reviewing companies takes multi-factor authentication. */
  readonly operatorsNeedMfa: boolean
}

export { type MadeOperator, makeFirstOperator, makeOperator, type WantedOperator } from './make-operator.ts'
export type { Credentials } from './sign-in.ts'
export { hasEndedSession } from './own-account.ts'
export type { Signer } from './users.store.ts'

/** A user as found by `signIn`: what its credentials were when they were checked. */
export type AuthenticatedUser = Pick<StoredUser, 'id' | 'username' | 'email' | 'passwordHash'>

/** The door of user-service: accounts, and who they say they are. */
export type UserRoom = {
  readonly bindings: readonly Binding[]
  readonly findStanding: FindStanding
  /** Whoever holds a session, with what decides whether it still counts. */
  findSigner(id: string): Promise<Signer | undefined>
  /** Throws what stands in the way of signing in: wrong credentials, the state of the account, a code that is missing. */
  signIn(credentials: Credentials): Promise<StoredUser>
  /** The first half of signing in: as `signIn`, without asking for a code. */
  checkPassword(credentials: Pick<Credentials, 'login' | 'password'>): Promise<StoredUser>
  /** The user somebody is whom an external issuer vouches for; made at the first meeting. */
  meetByIssuer(stranger: Stranger): Promise<StoredUser>
  /** The second half: asks for a code when MFA is enabled, and uses it up. */
  assertSecondFactor(by: { userId: string; ipAddress?: string }, code: Secret | undefined): Promise<void>
  /** Whether the checked credentials are still those of an active user; they stay so until the transaction ends. */
  holdCredentials(tx: Transaction, user: AuthenticatedUser): Promise<boolean>
  /** A company as other records refer to it. */
  findCompany(query: Query, id: string): Promise<CompanyReference | undefined>
  /** The companies a person belongs to, newest first. */
  findCompaniesOf(userId: string): Promise<readonly CompanyReference[]>
  /** Holds the company until the transaction ends: what is limited per company is counted by one at a time. */
  lockCompany(tx: Transaction, id: string): Promise<CompanyReference | undefined>
  /** Whether this person belongs to the company still. */
  isActiveMember(member: { companyId: string; userId: string }): Promise<boolean>
  /** Mails a person about a change, in the transaction of the change. */
  notify: Notify
}

const expiredLinks: JobKind<object> = {
  name: 'user-expired-links',
  retries: 2,
  backoffSeconds: 60,
  expireSeconds: 300,
}

const expiredAuthenticators: JobKind<object> = {
  name: 'user-expired-authenticators',
  retries: 2,
  backoffSeconds: 60,
  expireSeconds: 300,
}

export const createUserRoom = (deps: UserRoomDependencies): UserRoom => {
  deps.jobs.handle(confirmationMail, sendConfirmationMail(deps), { concurrency: 4 })
  deps.jobs.handle(reviewMail, sendReviewMail(deps), { concurrency: 4 })
  deps.jobs.handle(newEmailMail, sendNewEmailMail(deps), { concurrency: 4 })
  deps.jobs.handle(passwordResetMail, sendPasswordResetMail(deps), { concurrency: 4 })
  deps.jobs.handle(securityNotice, sendSecurityNotice(deps), { concurrency: 4 })
  deps.jobs.handle(expiredLinks, () => deleteExpiredLinks(deps.database.query, new Date(deps.clock.now())))
  deps.jobs.schedule(expiredLinks, '17 * * * *')
  deps.jobs.handle(expiredAuthenticators, () =>
    deleteUnconfirmedFactors(deps.database.query, unconfirmedAfter(deps.clock.now())),
  )
  deps.jobs.schedule(expiredAuthenticators, '27 * * * *')
  return {
    bindings: [
      ...userRoutes(deps),
      ...mfaRoutes(deps),
      ...companyRoutes(deps),
      ...memberRoutes(deps),
      ...reviewRoutes(deps),
    ],
    findStanding: (companyId, principal) =>
      findStanding(deps.database.query, companyId, principal.kind === 'user' ? principal.id : undefined),
    findSigner: (id) => findSigner(deps.database.query, id),
    signIn: signIn(deps),
    checkPassword: checkPassword(deps),
    assertSecondFactor: assertSecondFactor(deps),
    meetByIssuer: meetByIssuer(deps),
    holdCredentials,
    findCompany: async (query, id) => {
      const [company] = await findCompanies(query, { id })
      return company && toReference(company)
    },
    findCompaniesOf: async (userId) =>
      (await findCompanies(deps.database.query, { memberIds: [userId] })).map(toReference),
    lockCompany: async (tx, id) => {
      const company = await lockCompany(tx, id)
      return company && toReference(company)
    },
    isActiveMember: (member) => isActiveMember(deps.database.query, member),
    notify: notifyBy(deps),
  }
}

const toReference = ({ id, name, vatId }: CompanyReference): CompanyReference => ({ id, name, vatId })
