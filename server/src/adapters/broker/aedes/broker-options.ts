import type { Logger } from 'pino'
import type { Clock } from '../../../ports/clock/clock.ts'
import type { Database } from '../../../ports/database/database.ts'
import type { ConnectionLimits } from './connection-limits.ts'
import type { ListenAddresses } from './listeners.ts'

export type AedesBrokerOptions = {
  readonly database: Database
  readonly clock: Clock
  readonly log: Logger
  readonly listen: ListenAddresses
  readonly limits: ConnectionLimits
  /** If a reverse proxy is in front of WebSockets, they all have its address, which then does not count. */
  readonly behindProxy?: boolean
  /** The unix socket where the process that is the broker takes WebSockets over from others on the same port. */
  readonly relayPath?: string | undefined
}
