import type { Service } from '@millseal/contract'
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../ports/clock/clock.ts'
import type { Database } from '../ports/database/database.ts'
import type { FindStanding } from './access.ts'
import type { Binding } from './binding.ts'
import type { Authenticate, AuthenticateBrowser } from './gate.ts'
import type { HttpMetrics } from './metrics.ts'

export type HttpSettings = {
  readonly services: readonly Service[]
  readonly callsPerMinute: number
  /** Of a certificate as JSON. */
  readonly certificateBytes: number
  readonly trustProxy: readonly string[]
  /** Reached by HTTPS from outside, so browsers may be told to insist on it. */
  readonly isSecure: boolean
  /** 503 to whoever waits longer. Default 25 s, before proxies and clients give up. */
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
  readonly settings: HttpSettings
  /** True from the moment the process is asked to stop: connections are then closed after their answer. */
  readonly draining: () => boolean
}
