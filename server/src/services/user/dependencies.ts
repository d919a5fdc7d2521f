import type { Logger } from 'pino'
import type { Audit } from '../../ports/audit/audit.ts'
import type { AuditChain } from '../../ports/audit/audit-chain.ts'
import type { Clock } from '../../ports/clock/clock.ts'
import type { Database, Transaction } from '../../ports/database/database.ts'
import type { JobRunner } from '../../ports/jobs/jobs.ts'
import type { Keystore } from '../../ports/keystore/keystore.ts'
import type { Mailer } from '../../ports/mailer/mailer.ts'
import type { Outbox } from '../../ports/outbox/outbox.ts'
import type { RetentionTime } from '../../ports/retention/retention-time.ts'
import type { VatRegistry } from '../../ports/vat-registry/vat-registry.ts'

/** What a person can use as a second factor. */
export type Factor = 'otp' | 'recovery' | 'passkey'

/** The factor that a session used at this time; undefined if the account has none any more. */
export type FactorUse = {
  readonly sessionId: string
  readonly factor: Factor | undefined
  readonly at: Date
}

export type KeySteps = { readonly hasWallet: boolean; readonly hasIdentity: boolean }

export type UserDependencies = {
  readonly database: Database
  readonly jobs: JobRunner
  readonly mailer: Mailer
  readonly keystore: Keystore
  readonly clock: Clock
  readonly publicUrl: () => string
  readonly log: { readonly warn: Logger['warn'] }
  readonly outbox: Outbox
  readonly retention: RetentionTime
  readonly audit: Audit
  readonly auditChain: AuditChain
  readonly vatRegistry: {
    /** Queries the register every time: reviews need a current answer. */
    readonly fresh: VatRegistry
    /** May answer from its cache. */
    readonly remembered: VatRegistry
  }
  /** Returns which onboarding steps with keys these companies have completed. */
  readonly findKeySteps: (companyIds: readonly string[]) => Promise<KeySteps>
  /** Called in the transaction of a review that verifies a company, or verifies it again. */
  readonly onVerified: (tx: Transaction, companyId: string) => Promise<void>
  /** Called in the transaction of a rejection of a company that was verified. */
  readonly onReviewEnded: (tx: Transaction, reviewId: string) => Promise<void>
  /** The quota of every company, for mails about certificates and events; `Infinity` means no limit. */
  readonly mailsPerDay: number
  /** Called in the transaction that adds a factor in a session, or removes the last one. */
  readonly recordFactor: (tx: Transaction, use: FactorUse) => Promise<void>
}
