import type { KeyObject } from 'node:crypto'
import type { summarize } from '@millseal/families'
import type { Logger } from 'pino'
import type { Audit } from '../../ports/audit/audit.ts'
import type { BrokerPublisher } from '../../ports/broker/broker.ts'
import type { Clock } from '../../ports/clock/clock.ts'
import type { Courier } from '../../ports/courier/courier.ts'
import type { Database } from '../../ports/database/database.ts'
import type { JobRunner } from '../../ports/jobs/jobs.ts'
import type { Keystore } from '../../ports/keystore/keystore.ts'
import type { Mailer } from '../../ports/mailer/mailer.ts'
import type { Outbox } from '../../ports/outbox/outbox.ts'
import type { RetentionTime } from '../../ports/retention/retention-time.ts'
import type { Tracer } from '../../ports/tracer/tracer.ts'
import type { UserService } from '../user/index.ts'
import type { Admit } from './broker/admit.ts'

export type PipeDependencies = {
  readonly users: UserService
  readonly database: Database
  readonly jobs: JobRunner
  readonly mailer: Mailer
  readonly keystore: Keystore
  readonly courier: Courier
  readonly clock: Clock
  readonly outbox: Outbox
  readonly retention: RetentionTime
  readonly audit: Audit
  readonly tracer: Tracer
  readonly publicUrl: () => string
  /** The size of a mail that mail servers accept. */
  readonly mailBytes: number
  /** How many deliveries of webhooks a company may cause; `Infinity` without a limit. */
  readonly deliveriesPerDay: { readonly verified: number; readonly unverified: number }
  readonly log: Logger
  /** Undefined if this process publishes nothing. */
  readonly broker: BrokerPublisher | undefined
  readonly brokerAddresses: () => BrokerAddresses
  readonly vhost: () => Promise<string>
  readonly admit: Admit
  /** The facts of a certificate; passed in so that this service does not load the certificate families. */
  readonly summarize: typeof summarize
  /** Verifies the callbacks of the mail provider; without it every callback is rejected. */
  readonly mailStatusKey: KeyObject | undefined
  readonly pace: Pace
}

export type BrokerAddresses = { readonly mqttUrl: string; readonly wsUrl: string }

export type Pace = {
  /** How long a loop waits for a notification before it looks by itself. */
  readonly idleMs: number
  /** How long a claimed delivery belongs to the process that claimed it. */
  readonly leaseMs: number
}

/** The dependencies as the composition gives them, before the defaults. */
export type PipeOptions = Omit<PipeDependencies, 'vhost' | 'pace'> & {
  /** If undefined, a name is made at the first use and stored. */
  readonly vhost: string | undefined
  readonly pace?: Partial<Pace>
}
