import type { KeyObject } from 'node:crypto'
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
import type { UserService } from '../user/index.ts'
import type { BrokerAddresses } from './broker/broker.routes.ts'
import type { Admit } from './broker/gatekeeper.ts'
import type { Summarize } from './mails/compose-event-mail.ts'

export type PipeDependencies = {
  readonly users: Pick<UserService, 'findCompany' | 'findAdmins' | 'findContacts'>
  readonly database: Database
  readonly jobs: JobRunner
  readonly mailer: Mailer
  readonly keystore: Keystore
  readonly courier: Courier
  readonly clock: Clock
  readonly outbox: Outbox
  readonly audit: Audit
  readonly publicUrl: () => string
  readonly log: Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>
  /** None where this process publishes nothing. */
  readonly broker: BrokerPublisher | undefined
  readonly brokerAddresses: () => BrokerAddresses
  /** As it was set; else one is made. */
  readonly vhost: string | undefined
  readonly admit: Admit
  /** What a certificate is about; given, so that this room loads nothing of the families of certificates. */
  readonly summarize: Summarize
  /** What the mail provider signs its callbacks with; none: no callback is taken. */
  readonly mailStatusKey: KeyObject | undefined
  readonly pace?: Partial<Pace>
}

export type Pace = {
  /** How long after news that did not come somebody looks by himself. */
  readonly idleMs: number
  /** How long whoever claimed a delivery has it to himself. */
  readonly leaseMs: number
}

export const defaultPace: Pace = { idleMs: 500, leaseMs: 45_000 }
