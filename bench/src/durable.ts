import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { openEmbedded } from '../../server/src/adapters/database/embedded/embedded.ts'
import { migrate } from '../../server/src/adapters/database/migrate.ts'
import type { DatabaseLog } from '../../server/src/adapters/database/postgres.ts'
import { systemClock } from '../../server/src/ports/clock/clock.ts'
import type { Database, Transaction } from '../../server/src/ports/database/database.ts'
import { createOutbox } from '../../server/src/adapters/outbox/outbox-table.ts'
import { repeat, type Timed } from './rounds.ts'

const ignore = (): void => {}
export const silentLog: DatabaseLog = { debug: ignore, info: ignore, warn: ignore, error: ignore }

/** The default of a server. */
export const maxConnections = 16

/** Embedded and durable, with all tables; this process is its only client. */
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
const payload = { name: 'A company with a name', city: 'Essen', status: 'active' }

/** The smallest change of this product: one event of about a hundred bytes. */
export const writeEvent = (tx: Transaction, companyId: string, n = 0): Promise<string> =>
  outbox.write(tx, {
    owner: { kind: 'company', id: companyId },
    mode: 'live',
    resource: 'companies',
    action: 'update_one',
    payload: { n, ...payload },
  })

/** The disk alone: write 8 KiB and flush, one after the other. */
export const openDisk = async (
  folder: string,
): Promise<AsyncDisposable & { flush: () => Promise<Timed> }> => {
  const file = await open(join(folder, 'probe'), 'w')
  const page = Buffer.alloc(8_192, 1)
  const writePage = async (): Promise<void> => {
    await file.write(page, 0, page.length, 0)
    await file.datasync()
  }
  return {
    flush: () => repeat(writePage, { concurrent: 1, ms: 400 }),
    [Symbol.asyncDispose]: () => file.close(),
  }
}
