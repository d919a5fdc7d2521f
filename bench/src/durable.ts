import { randomUUID } from 'node:crypto'
import { openEmbedded } from '../../server/src/adapters/database/embedded/embedded.ts'
import { migrate } from '../../server/src/adapters/database/migrate.ts'
import { createOutbox } from '../../server/src/adapters/outbox/outbox-table.ts'
import { noTracer } from '../../server/src/ports/tracer/tracer.ts'
import { systemClock } from '../../server/src/ports/clock/clock.ts'
import type { Database, Transaction } from '../../server/src/ports/database/database.ts'
import { silentLog } from '../../server/test/silent-log.ts'

/** Embedded and durable, with all tables and as many connections as a server; this process is its only client. */
export const openDurableDatabase = async (dataDir: string): Promise<Database> => {
  const options = { dataDir, applicationName: 'bench', durable: true, maxConnections: 16, log: silentLog }
  const database = await openEmbedded(options)
  await migrate({ connection: database.connection, log: silentLog })
  return database
}

const outbox = createOutbox({ clock: systemClock, tracer: noTracer })
const someCompany = randomUUID()

/** The smallest change of this product: one event of about a hundred bytes. */
export const writeEvent = (tx: Transaction, n = 0, companyId: string = someCompany): Promise<string> =>
  outbox.write(tx, {
    owner: { kind: 'company', id: companyId },
    mode: 'live',
    resource: 'companies',
    action: 'update_one',
    payload: { n, name: 'A company with a name', city: 'Essen', status: 'active' },
  })
