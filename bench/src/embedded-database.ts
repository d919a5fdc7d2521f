import { openEmbedded } from '../../server/src/adapters/database/embedded/embedded.ts'
import { migrate } from '../../server/src/adapters/database/migrate.ts'
import type { DatabaseLog } from '../../server/src/adapters/database/postgres.ts'
import type { Database, Transaction } from '../../server/src/ports/database/database.ts'
import { createOutbox } from '../../server/src/adapters/outbox/outbox-table.ts'
import { systemClock } from '../../server/src/ports/clock/clock.ts'

const ignore = (): void => {}
export const silentLog: DatabaseLog = { debug: ignore, info: ignore, warn: ignore, error: ignore }

/** As many as a server opens by default. */
export const maxConnections = 16

/** Embedded and durable, in this process, with all tables. */
export const openDurableDatabase = async (dataDir: string): Promise<Database> => {
  const database = await openEmbedded({
    dataDir,
    applicationName: 'bench',
    durable: true,
    maxConnections,
    log: silentLog,
  })
  try {
    await migrate({ connection: database.connection, log: silentLog })
    return database
  } catch (error) {
    await database[Symbol.asyncDispose]()
    throw error
  }
}

const outbox = createOutbox({ clock: systemClock })
const owner = { kind: 'company', id: '018f0000-0000-7000-8000-000000000001' } as const
const payload = { companyId: owner.id, name: 'A company with a name', city: 'Essen', status: 'active' }

/** The smallest change this product makes: one event of about a hundred bytes. */
export const writeEvent = (tx: Transaction): Promise<string> =>
  outbox.write(tx, { owner, mode: 'live', resource: 'companies', action: 'update_one', payload })
