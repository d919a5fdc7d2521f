import { openPostgres } from '../src/adapters/database/postgres.ts'
import { startRelay } from './relay.ts'
import { type Beginning, leaseMs, speed } from './relay-clock.ts'
import { silentLog } from './silent-log.ts'

// A relay in a process of its own, to be killed.
const begin = ({ connection, startedAtMs, aheadMs }: Beginning): void => {
  const database = openPostgres({ connection, applicationName: 'relay', maxConnections: 4, log: silentLog })
  const now = () => Math.round(startedAtMs + (Date.now() - startedAtMs) * speed) + aheadMs
  const clock = { now, steady: now }
  startRelay(database, { clock, pace: { idleMs: 20, leaseMs } })
}

process.once('message', (message: Beginning) => begin(message))
