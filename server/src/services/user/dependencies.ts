import type { Logger } from 'pino'
import type { Audit } from '../../ports/audit/audit.ts'
import type { Clock } from '../../ports/clock/clock.ts'
import type { Database } from '../../ports/database/database.ts'
import type { JobRunner } from '../../ports/jobs/jobs.ts'
import type { Keystore } from '../../ports/keystore/keystore.ts'
import type { Mailer } from '../../ports/mailer/mailer.ts'
import type { Outbox } from '../../ports/outbox/outbox.ts'
import type { VatRegistry } from '../../ports/vat-registry/vat-registry.ts'

export type KeySteps = { readonly hasWallet: boolean; readonly hasIdentity: boolean }

export type UserDependencies = {
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
  /** Which first steps with keys these companies have taken; told by whoever keeps keys. */
  readonly findKeySteps: (companyIds: readonly string[]) => Promise<KeySteps>
  /** Whether reviewing companies takes multi-factor authentication. */
  readonly operatorsNeedMfa: boolean
}
