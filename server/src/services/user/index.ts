import type { CompanyReference, FourEyes } from '@millseal/contract'
import type { FastifyInstance } from 'fastify'
import type { FindStanding } from '../../http/access.ts'
import type { Binding } from '../../http/binding.ts'
import type { Accounts } from '../../http/pages/accounts.ts'
import { inBatches } from '../../lib/in-batches.ts'
import type { MailLanguage } from '../../lib/mail-languages.ts'
import type { Secret } from '../../lib/secret.ts'
import type { Query, Transaction } from '../../ports/database/database.ts'
import { pageAccounts } from './account/page-accounts.ts'
import { type Notify, notify } from './mailing/security-notice.ts'
import { userRoutes } from './account/user.routes.ts'
import {
  findLanguages,
  findSigners,
  lockCredentials,
  type Signer,
  type StoredUser,
} from './users/users.store.ts'
import { passkeyRoutes } from './passkeys/passkeys.routes.ts'
import { mfaRoutes } from './authenticators/mfa.routes.ts'
import { companyRoutes } from './companies/companies.routes.ts'
import { findCompanies, findContacts, lockCompany } from './companies/companies.store.ts'
import {
  findActiveAdmins,
  findCompaniesByVatIds,
  findReleasers,
  type WantedVatIds,
} from './companies/company-contacts.ts'
import { findFourEyes, findStandings, isActiveMember, standingKey } from './companies/standing.store.ts'
import type { Factor, UserDependencies } from './dependencies.ts'
import type { StoredMember } from './companies/members.store.ts'
import { handleJobs } from './handle-jobs.ts'
import { invitationRoutes } from './invitations/invitations.routes.ts'
import { admitMails, type AdmittedMail, type MailOrder } from './mailing/admit-mails.ts'
import {
  countCompanyMails,
  findLastMail,
  findMailsAbout,
  type MailCounts,
  type MailKind,
  type StoredCompanyMail,
} from './mailing/company-mails.store.ts'
import { type Decided, decideMails, type WantedMails } from './mailing/decide-mails.ts'
import { enqueueQuorumMails, type QuorumNews } from './mailing/quorum-mail.ts'
import { mailingRoutes } from './mailing/mailing.routes.ts'
import { type DailyOrder, type Refusal, takeOfDay } from './quotas/take-of-day.ts'
import { type DeliveryReport, recordReport } from './mailing/record-report.ts'
import { createMailing, type Mailing } from './mailing/send-company-mail.ts'
import { findUnsubscription, type Unsubscription } from './mailing/unsubscribe-link.ts'
import { mountUnsubscribePage } from './mailing/unsubscribe-page.ts'
import { memberRoutes } from './members/members.routes.ts'
import { auditRoutes } from './operators/audit.routes.ts'
import { failedJobRoutes } from './operators/failed-jobs.routes.ts'
import { mailFolderRoutes } from './operators/mail-folder.routes.ts'
import {
  checkPasskey,
  type PasskeyAnswer,
  type PasskeyQuestion,
  passkeyRequest,
} from './passkeys/check-passkey.ts'
import { type ReviewEnds, reviewEnds } from './reviews/review-ends.ts'
import { reviewRoutes } from './reviews/reviews.routes.ts'
import { type CompanyVerification, findVerifications } from './reviews/verifications.ts'
import { findOrCreateByIssuer, type IssuerClaims } from './sign-in/find-or-create-by-issuer.ts'
import { assertSecondFactor } from './sign-in/second-factor.ts'
import { checkPassword, type Credentials, signIn, type SignedIn } from './sign-in/sign-in.ts'

export { hasEndedSession } from './users/own-account.ts'
export type { Signer } from './users/users.store.ts'
export type { Factor, FactorUse, UserDependencies } from './dependencies.ts'
export type { StoredCompanyMail as CompanyMail } from './mailing/company-mails.store.ts'
export type { AdmittedMail }
export type { StoredMember as Releaser }
export type { HeldBack } from './mailing/decide-mails.ts'
export { type MailBody, type MailFrame, sendCompanyMail } from './mailing/send-company-mail.ts'
export type { Rejection, ReviewEnd } from './reviews/review-ends.ts'
export type { CompanyVerification } from './reviews/verifications.ts'
export {
  type MadeOperator,
  makeFirstOperator,
  makeOperator,
  type WantedOperator,
} from './operators/make-operator.ts'
export { hasUsers } from './operators/operators.store.ts'
export type { Credentials } from './sign-in/sign-in.ts'

/** A user as found by `signIn`, with the credentials as they were when they were checked. */
export type AuthenticatedUser = Pick<
  StoredUser,
  'id' | 'username' | 'email' | 'passwordHash' | 'sessionsValidFrom'
>

/** The entry point of the user service: accounts and how their owners prove who they are. */
export type UserService = Mailing &
  ReviewEnds & {
    readonly bindings: readonly Binding[]
    /** The accounts for the pages of the server. */
    readonly accounts: Accounts
    /** Registers the page for unsubscribing. */
    mount(server: FastifyInstance): void
    readonly findStanding: FindStanding
    /** Returns the owner of a session, with everything that decides whether the session is still valid. */
    findSigner(id: string): Promise<Signer | undefined>
    /** Throws if the credentials are wrong, a code is missing, or the account may not sign in. */
    signIn(credentials: Credentials): Promise<SignedIn>
    /** The first step of `signIn`: does not ask for a code. */
    checkPassword(credentials: Omit<Credentials, 'code'>): Promise<StoredUser>
    /** Returns the user with these claims of an external issuer. Creates the user at the first sign-in. */
    findOrCreateByIssuer(claims: IssuerClaims): Promise<StoredUser>
    /** The second step of `signIn`: if MFA is enabled, requires a code, uses it up and says what it was. */
    assertSecondFactor(
      by: { userId: string; ipAddress?: string },
      code: Secret | undefined,
    ): Promise<Factor | undefined>
    /** What a browser asks for a passkey with, as JSON. Undefined if no passkey can answer. */
    passkeyRequest(question: PasskeyQuestion): Promise<string | undefined>
    /** Throws if the answer of the passkey is wrong or the account may not sign in. */
    checkPasskey(answer: PasskeyAnswer): Promise<StoredUser>
    /** Returns whether the checked credentials still belong to an active user, and locks them until the transaction ends. */
    lockCredentials(tx: Transaction, user: AuthenticatedUser): Promise<boolean>
    findCompany(query: Query, id: string): Promise<CompanyReference | undefined>
    /** Whether the company notarizes no certificate in which something does not fit together. */
    refusesFindings(query: Query, companyId: string): Promise<boolean>
    /** Whose certificates of the company wait until a second person releases them. */
    findFourEyes(companyId: string): Promise<FourEyes | undefined>
    /** Leaves out companies that do not exist. */
    findCompaniesById(query: Query, ids: readonly string[]): Promise<readonly CompanyReference[]>
    /** The companies of a user, newest first. */
    findCompaniesOf(userId: string): Promise<readonly CompanyReference[]>
    /** Locks the company until the transaction ends, so that concurrent calls cannot exceed a limit per company. */
    lockCompany(tx: Transaction, id: string): Promise<CompanyReference | undefined>
    isActiveMember(member: { companyId: string; userId: string }): Promise<boolean>
    /**
     * The companies with these VAT ids, in any spelling. Live mode returns verified companies only: otherwise a company
     * could receive certificates of another by entering its VAT id. The result is in the order of what is wanted.
     */
    findCompaniesByVatIds(
      query: Query,
      wanted: readonly WantedVatIds[],
    ): Promise<readonly (readonly CompanyReference[])[]>
    /** The reviews by which these companies are verified, by company. */
    findVerifications(
      query: Query,
      companyIds: readonly string[],
    ): Promise<ReadonlyMap<string, CompanyVerification>>
    /** Counts what companies want of a day against its limits. Returns, by company, what was not granted as a whole. */
    takeOfDay(tx: Transaction, order: DailyOrder): Promise<ReadonlyMap<string, Refusal>>
    /** The e-mail addresses of a company or, if it has none, those of its active admins. */
    findContacts(query: Query, companyId: string): Promise<readonly string[]>
    /** The active admins of a company. */
    findAdmins(companyId: string): Promise<readonly Pick<StoredUser, 'username' | 'email'>[]>
    /** The active members who may release what others submit. */
    findReleasers(query: Query, companyId: string): Promise<readonly StoredMember[]>
    /**
     * Records who gets a mail of a company, and who does not and why. Call it in the transaction that causes the mail;
     * enqueue a job for each address that is not held back, and send with `sendCompanyMail`.
     */
    admitMails(tx: Transaction, orders: readonly MailOrder[]): Promise<readonly (readonly AdmittedMail[])[]>
    /** The same decision without a record, for mails that have their own. */
    decideMails(tx: Transaction, companyId: string, wanted: WantedMails): Promise<readonly Decided[]>
    /** The languages of the accounts with these addresses, which are in lower case. */
    findLanguages(query: Query, addresses: readonly string[]): Promise<ReadonlyMap<string, MailLanguage>>
    findMailsAbout(
      query: Query,
      subject: { readonly companyId: string; readonly about: string },
    ): Promise<readonly StoredCompanyMail[]>
    /** When the company was last to mail somebody about something of this kind. */
    findLastMail(
      query: Query,
      subject: { readonly companyId: string; readonly kind: MailKind },
    ): Promise<Date | undefined>
    /** Mails of companies: how many wait, and how many were refused since. */
    countMails(since: Date): Promise<MailCounts>
    findUnsubscription(recipient: {
      readonly companyId: string
      readonly address: string
    }): Promise<Unsubscription>
    /** Bounces stop later mails to the same address. */
    recordReport(tx: Transaction, report: DeliveryReport): Promise<void>
    /** Mails everybody who operates this service. Call it in the transaction that finds the reason. */
    mailOperators(tx: Transaction, news: QuorumNews): Promise<void>
    /** Mails a user about a change. Call it in the transaction of the change. */
    notify: Notify
  }

const allRoutes = [
  userRoutes,
  mfaRoutes,
  passkeyRoutes,
  companyRoutes,
  memberRoutes,
  invitationRoutes,
  mailingRoutes,
  reviewRoutes,
  failedJobRoutes,
  auditRoutes,
  mailFolderRoutes,
]

export const createUserService = (deps: UserDependencies): UserService => {
  const { database } = deps
  handleJobs(deps)
  const findStandingOf = inBatches((keys) => findStandings(database.query, keys))
  return {
    bindings: allRoutes.flatMap((routes) => routes(deps)),
    accounts: pageAccounts(deps),
    mount: (server) => mountUnsubscribePage(server, deps),
    findStanding: (companyId, principal) =>
      findStandingOf(
        standingKey({ companyId, userId: principal.kind === 'user' ? principal.id : undefined }),
      ),
    findSigner: inBatches((ids) => findSigners(database.query, ids)),
    signIn: (credentials) => signIn(deps, credentials),
    checkPassword: (credentials) => checkPassword(deps, credentials),
    assertSecondFactor: (by, code) => assertSecondFactor(deps, by, code),
    passkeyRequest: (question) => passkeyRequest(deps, question),
    checkPasskey: (answer) => checkPasskey(deps, answer),
    findOrCreateByIssuer: (claims) => findOrCreateByIssuer(deps, claims),
    lockCredentials,
    findCompany: async (query, id) => (await findCompanies(query, { id })).map(toReference)[0],
    refusesFindings: async (query, id) => (await findCompanies(query, { id }))[0]?.onFindings === 'refuse',
    findFourEyes: inBatches((ids) => findFourEyes(database.query, ids)),
    findCompaniesById: async (query, ids) => (await findCompanies(query, { ids })).map(toReference),
    findCompaniesOf: async (userId) =>
      (await findCompanies(database.query, { memberIds: [userId] })).map(toReference),
    lockCompany: async (tx, id) => {
      const company = await lockCompany(tx, id)
      return company && toReference(company)
    },
    isActiveMember: (member) => isActiveMember(database.query, member),
    findCompaniesByVatIds: async (query, wanted) =>
      (await findCompaniesByVatIds(query, wanted)).map((companies) => companies.map(toReference)),
    findVerifications,
    ...reviewEnds,
    takeOfDay: (tx, order) => takeOfDay(tx, order, findVerifications),
    findContacts,
    findAdmins: (companyId) => findActiveAdmins(database.query, companyId),
    admitMails: (tx, orders) => admitMails(deps, tx, orders),
    decideMails: async (tx, companyId, wanted) => (await decideMails(deps, tx, companyId, [wanted])).flat(),
    ...createMailing(deps),
    findLanguages,
    findMailsAbout,
    findLastMail,
    findReleasers,
    countMails: (since) => countCompanyMails(database.query, since),
    findUnsubscription: (recipient) => findUnsubscription(deps, recipient),
    recordReport,
    mailOperators: (tx, news) => enqueueQuorumMails(deps, tx, news),
    notify: (tx, notice) => notify(deps, tx, notice),
  }
}

const toReference = ({ id, name, vatId }: CompanyReference): CompanyReference => ({ id, name, vatId })
