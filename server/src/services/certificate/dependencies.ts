import type { Mode } from '@millseal/contract'
import type {
  CheckedPack,
  FileReader,
  PackManifest,
  PackStore,
  PdfRenderer,
  Registry,
} from '@millseal/families'
import type { Logger } from 'pino'
import type { MachinePrincipal } from '../../http/principal.ts'
import type { Audit } from '../../ports/audit/audit.ts'
import type { Clock } from '../../ports/clock/clock.ts'
import type { Database, Transaction } from '../../ports/database/database.ts'
import type { JobRunner } from '../../ports/jobs/jobs.ts'
import type { Mailer } from '../../ports/mailer/mailer.ts'
import type { Outbox } from '../../ports/outbox/outbox.ts'
import type { RetentionTime } from '../../ports/retention/retention-time.ts'
import type { Seals } from '../../ports/seals/seals.ts'
import type { Tracer } from '../../ports/tracer/tracer.ts'
import type { KmService } from '../km/index.ts'
import type { UserService } from '../user/index.ts'

export type EndedNotarization = {
  readonly mode: Mode
  readonly outcome: 'notarized' | 'failed'
  readonly seconds: number
}

/** The imported packs. Changes happen one at a time in all processes, until the transaction ends. */
export type Packs = Pick<PackStore, 'check' | 'list'> & {
  store(tx: Transaction, pack: CheckedPack, now: Date): Promise<PackManifest>
  remove(tx: Transaction, name: string): Promise<boolean>
}

export type CertificateDependencies = {
  readonly users: UserService
  readonly keys: KmService
  readonly schemas: Registry
  readonly packs: Packs
  readonly pdf: PdfRenderer
  readonly seals: Seals
  readonly reader: FileReader
  readonly database: Database
  readonly jobs: JobRunner
  readonly mailer: Mailer
  readonly clock: Clock
  readonly outbox: Outbox
  readonly retention: RetentionTime
  readonly audit: Audit
  readonly tracer: Tracer
  readonly publicUrl: () => string
  /** Whether live certificates may name another seller than the company that notarizes them. */
  readonly allowsOtherSellers: boolean
  /** Whether this installation makes samples for its home page. */
  readonly hasSamples: boolean
  /** How many certificates a company may submit; `Infinity` without a limit. */
  readonly certificatesPerDay: { readonly verified: number; readonly unverified: number }
  /** The size of the largest certificate. */
  readonly certificateBytes: number
  /** How much work of a company, and of all, may wait before no more is accepted; `Infinity` without a limit. */
  readonly queueMinutes: { readonly company: number; readonly service: number }
  /** Whether a certificate is notarized only once a quorum of cosigners has confirmed its entry. */
  readonly awaitsQuorum: boolean
  /** How long after its entry the mail of a certificate waits for cosigners. */
  readonly confirmWaitMs: number
  /** The size of a mail that mail servers accept. */
  readonly mailBytes: number
  /** The name that people gave an application or a long-lived token; undefined once it is deleted. */
  readonly findMachineName: (
    machine: Pick<MachinePrincipal, 'kind' | 'id' | 'companyId'>,
  ) => Promise<string | undefined>
  /** Called when a notarization has ended, with the time since its certificate was accepted. */
  readonly onEnded: (ended: EndedNotarization) => void
  readonly log: Logger
}
