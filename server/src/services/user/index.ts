import type { CompanyReference, Mode } from '@millseal/contract'
import type { FindStanding } from '../../http/access.ts'
import type { Binding } from '../../http/binding.ts'
import { inBatches } from '../../lib/in-batches.ts'
import type { Secret } from '../../lib/secret.ts'
import type { Query, Transaction } from '../../ports/database/database.ts'
import type { JobKind } from '../../ports/jobs/jobs.ts'
import { companyRoutes } from './companies/companies.routes.ts'
import { findCompanies, findContacts, lockCompany } from './companies/companies.store.ts'
import { confirmationMail, sendConfirmationMail } from './account/confirmation-mail.ts'
import { unconfirmedAfter } from './authenticators/authenticators.ts'
import { deleteUnconfirmedFactors } from './authenticators/factors.store.ts'
import { deleteExpiredLinks } from './account/links.store.ts'
import { meetByIssuer, type Stranger } from './sign-in/meet-by-issuer.ts'
import { mfaRoutes } from './authenticators/mfa.routes.ts'
import { memberRoutes } from './members/members.routes.ts'
import { reviewMail, sendReviewMail } from './reviews/review-mail.ts'
import { reviewRoutes } from './reviews/reviews.routes.ts'
import { assertSecondFactor } from './sign-in/second-factor.ts'
import { newEmailMail, sendNewEmailMail } from './account/new-email-mail.ts'
import { passwordResetMail, sendPasswordResetMail } from './account/password-reset-mail.ts'
import { type Notify, notifyBy, securityNotice, sendSecurityNotice } from './account/security-notice.ts'
import { checkPassword, type Credentials, signIn } from './sign-in/sign-in.ts'
import { findActiveAdmins, findCompaniesByVatIds } from './companies/company-contacts.ts'
import type { UserDependencies } from './dependencies.ts'
import { findStanding, isActiveMember } from './companies/standing.store.ts'
import { userRoutes } from './account/user.routes.ts'
import { findSigners, holdCredentials, type Signer, type StoredUser } from './account/users.store.ts'

export {
  type MadeOperator,
  makeFirstOperator,
  makeOperator,
  type WantedOperator,
} from './operators/make-operator.ts'
export type { UserDependencies } from './dependencies.ts'
export type { Credentials } from './sign-in/sign-in.ts'
export { hasEndedSession } from './account/own-account.ts'
export type { Signer } from './account/users.store.ts'

/** A user as found by `signIn`: what its credentials were when they were checked. */
export type AuthenticatedUser = Pick<StoredUser, 'id' | 'username' | 'email' | 'passwordHash'>

/** The door of user-service: accounts, and who they say they are. */
export type UserService = {
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
  /** Those of these companies that there are. */
  findCompaniesById(query: Query, ids: readonly string[]): Promise<readonly CompanyReference[]>
  /** The companies a person belongs to, newest first. */
  findCompaniesOf(userId: string): Promise<readonly CompanyReference[]>
  /** Holds the company until the transaction ends: what is limited per company is counted by one at a time. */
  lockCompany(tx: Transaction, id: string): Promise<CompanyReference | undefined>
  /** Whether this person belongs to the company still. */
  isActiveMember(member: { companyId: string; userId: string }): Promise<boolean>
  /**
   * The companies that other papers name by these VAT ids, however they write them. In live mode only those whose id was
   * reviewed: a company must not get what is meant for another by naming itself so.
   */
  findCompaniesByVatIds(
    query: Query,
    wanted: { readonly vatIds: readonly string[]; readonly mode: Mode },
  ): Promise<readonly CompanyReference[]>
  /** Where a company wants mail: its own addresses, or else those of its admins. */
  findContacts(query: Query, companyId: string): Promise<readonly string[]>
  /** The active people who run a company, to be mailed about it. */
  findAdmins(companyId: string): Promise<readonly Pick<StoredUser, 'username' | 'email'>[]>
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

export const createUserService = (deps: UserDependencies): UserService => {
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
    findSigner: inBatches((ids) => findSigners(deps.database.query, ids)),
    signIn: signIn(deps),
    checkPassword: checkPassword(deps),
    assertSecondFactor: assertSecondFactor(deps),
    meetByIssuer: meetByIssuer(deps),
    holdCredentials,
    findCompany: async (query, id) => {
      const [company] = await findCompanies(query, { id })
      return company && toReference(company)
    },
    findCompaniesById: async (query, ids) => (await findCompanies(query, { ids })).map(toReference),
    findCompaniesOf: async (userId) =>
      (await findCompanies(deps.database.query, { memberIds: [userId] })).map(toReference),
    lockCompany: async (tx, id) => {
      const company = await lockCompany(tx, id)
      return company && toReference(company)
    },
    isActiveMember: (member) => isActiveMember(deps.database.query, member),
    findCompaniesByVatIds: async (query, { vatIds, mode }) =>
      (await findCompaniesByVatIds(query, { vatIds, onlyVerified: mode === 'live' })).map(toReference),
    findContacts,
    findAdmins: (companyId) => findActiveAdmins(deps.database.query, companyId),
    notify: notifyBy(deps),
  }
}

const toReference = ({ id, name, vatId }: CompanyReference): CompanyReference => ({ id, name, vatId })
