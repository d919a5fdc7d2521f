import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import type { Audit } from '../../ports/audit/audit.ts'
import type { AuditChain } from '../../ports/audit/audit-chain.ts'
import type { Clock } from '../../ports/clock/clock.ts'
import type { Database, Transaction } from '../../ports/database/database.ts'
import type { JobRunner } from '../../ports/jobs/jobs.ts'
import type { Mailer } from '../../ports/mailer/mailer.ts'
import type { Outbox } from '../../ports/outbox/outbox.ts'
import type { Vault } from '../../ports/vault/vault.ts'
import type { UserService } from '../user/index.ts'
import type { GroupedSteps } from './grouped-steps.ts'
import type { Ledgers } from './ledgers/ledgers.ts'
import type { LedgerRouting } from './nodes/routing.ts'

/** The parts of the server that km-service uses. */
export type KmOptions = {
  readonly users: Pick<
    UserService,
    | 'admitMails'
    | 'endMail'
    | 'findAdmins'
    | 'findCompaniesById'
    | 'findCompaniesByVatIds'
    | 'findCompany'
    | 'findContacts'
    | 'findEndedReviews'
    | 'findRejection'
    | 'findReviewEnds'
    | 'findVerifications'
    | 'frameMail'
    | 'isActiveMember'
    | 'mailOperators'
  >
  readonly jobs: JobRunner
  readonly mailer: Mailer
  readonly log: Logger
  readonly database: Database
  readonly vault: Vault
  readonly ledgers: Ledgers
  readonly clock: Clock
  readonly outbox: Outbox
  readonly audit: Audit
  readonly auditChain: AuditChain
  readonly publicUrl: () => string
  readonly metrics: Registry
  /** Called once the ledger has a revocation, in the transaction that stores this. */
  readonly onRevoked: (tx: Transaction, transactionId: string) => Promise<void>
}

export type KmDependencies = KmOptions & { readonly routing: LedgerRouting; readonly grouped: GroupedSteps }
