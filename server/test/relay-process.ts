import type { ClientConfig } from 'pg'
import { silentLog } from './silent-log.ts'
import { openPostgres } from '../src/adapters/database/postgres.ts'
import { startRelay } from './relay.ts'

/** A relay in a process of its own, to be killed. Its time runs faster, so that pauses of hours are waited out. */
export type Beginning = {
  readonly connection: ClientConfig
  readonly startedAtMs: number
  readonly speed: number
}

const begin = ({ connection, startedAtMs, speed }: Beginning): void => {
  const database = openPostgres({ connection, applicationName: 'relay', maxConnections: 4, log: silentLog })
  const clock = { now: () => Math.round(startedAtMs + (Date.now() - startedAtMs) * speed) }
  startRelay(database, { clock, pace: { idleMs: 20, leaseMs: 500 * speed } })
}

process.once('message', (message: Beginning) => begin(message))
