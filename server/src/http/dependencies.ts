import type { Service } from '@millseal/contract'
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../ports/clock/clock.ts'
import type { Database } from '../ports/database/database.ts'
import type { Tracer } from '../ports/tracer/tracer.ts'
import type { FindStanding } from './access.ts'
import type { Binding } from './binding.ts'
import type { Authenticate, AuthenticateBrowser } from './gate.ts'
import type { HttpMetrics } from './metrics.ts'

export type HttpSettings = {
  readonly services: readonly Service[]
  readonly callsPerMinute: number
  /** Maximum size of a certificate as JSON. */
  readonly certificateBytes: number
  readonly trustProxy: readonly string[]
  /** Maximum open connections of one address; those of trusted proxies do not count. */
  readonly connectionsPerAddress: number
  /** The public URL is HTTPS, so browsers may be told to use nothing else. */
  readonly isSecure: boolean
  /** Whether operators need a sign-in with two factors to review companies. */
  readonly operatorsNeedMfa: boolean
  /** Slower answers become 503. The default of 25 s is below the timeout of common proxies and clients. */
  readonly answerWithinMs?: number
}

export type HttpDependencies = {
  readonly bindings: readonly Binding[]
  readonly authenticate: Authenticate
  readonly authenticateBrowser?: AuthenticateBrowser
  readonly findStanding: FindStanding
  readonly database: Database
  readonly clock: Clock
  readonly log: FastifyBaseLogger
  readonly metrics: HttpMetrics
  readonly tracer?: Tracer
  readonly settings: HttpSettings
  /** True once the process is stopping: each connection is then closed after its answer. */
  readonly draining: () => boolean
}
