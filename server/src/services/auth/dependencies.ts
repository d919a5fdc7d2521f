import type { Logger } from 'pino'
import type { Secret } from '../../lib/secret.ts'
import type { Audit } from '../../ports/audit/audit.ts'
import type { JobRunner } from '../../ports/jobs/jobs.ts'
import type { Outbox } from '../../ports/outbox/outbox.ts'
import type { UserService } from '../user/index.ts'
import type { Tokens } from './signing-keys/tokens.ts'
import type { KeyDependencies } from './key-dependencies.ts'
import type { StoredSession } from './sessions/sessions.store.ts'

/** Signs people in instead of the built-in provider. */
export type ExternalIssuer = {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: Secret | undefined
  /** Whether what it says about the methods of a sign-in counts. */
  readonly isAmrTrusted: boolean
}

export type AuthDependencies = KeyDependencies & {
  readonly users: UserService
  readonly jobs: JobRunner
  readonly publicUrl: () => string
  readonly outbox: Outbox
  readonly audit: Audit
  readonly log: Logger
  /** Undefined if people sign in with the built-in provider. */
  readonly externalIssuer: ExternalIssuer | undefined
  readonly tokens: Tokens
  /** Calls that arrive together share one query. */
  readonly findOpenSession: (id: string) => Promise<StoredSession | undefined>
}
