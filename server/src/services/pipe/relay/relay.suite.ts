import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { createUndiciCourier } from '../../../adapters/courier/undici/undici.ts'
import { createPgBossJobs } from '../../../adapters/jobs/pg-boss.ts'
import { createLocalKeystore } from '../../../adapters/keystore/local.ts'
import { createEmlFolderMailer } from '../../../adapters/mailer/eml-folder.ts'
import { Problem } from '../../../lib/problem.ts'
import { Secret } from '../../../lib/secret.ts'
import { uuidv7 } from '../../../lib/uuid.ts'
import { createAudit } from '../../../ports/audit/audit.ts'
import type { BrokerPublisher } from '../../../ports/broker/broker.ts'
import { type Clock, systemClock } from '../../../ports/clock/clock.ts'
import type { Database } from '../../../ports/database/database.ts'
import { createOutbox } from '../../../ports/outbox/outbox.ts'
import type { Pace, PipeRoomDependencies } from '../dependencies.ts'
import { sealHeaders } from '../hooks/hook-headers.ts'
import { insertHook } from '../hooks/hooks.store.ts'
import { createPipeRoom } from '../index.ts'

const keystore = createLocalKeystore(new Secret(Buffer.alloc(32, 'relay')))
const silent = pino({ level: 'silent' })

export type RelayOptions = {
  readonly clock?: Clock
  readonly broker?: BrokerPublisher
  readonly pace?: Partial<Pace>
}

/** The relay alone, as any process runs it, on a database that rooms write to; gone when disposed. */
export const startRelay = (database: Database, options: RelayOptions = {}): AsyncDisposable => {
  const clock = options.clock ?? systemClock
  const owner = { id: randomUUID(), name: 'Rolling Mill', vatId: 'ATU12345678' }
  const dependencies: PipeRoomDependencies = {
    users: { findCompany: async (_query, id) => ({ ...owner, id }), findAdmins: async () => [] },
    database,
    jobs: createPgBossJobs({ database, log: silent }),
    mailer: createEmlFolderMailer({ folder: '/nonexistent', from: 'nobody@example.com', clock }),
    keystore,
    courier: createUndiciCourier({ allow: ['127.0.0.0/8'] }),
    clock,
    outbox: createOutbox({ clock }),
    audit: createAudit({ clock }),
    publicUrl: () => 'http://localhost',
    log: silent,
    broker: options.broker,
    brokerAddresses: () => ({ mqttUrl: 'mqtt://localhost', wsUrl: 'ws://localhost' }),
    vhost: 'relay',
    admit: async () => {
      throw new Problem('token_invalid')
    },
    pace: options.pace ?? {},
  }
  const relaying = createPipeRoom(dependencies).startRelaying()
  return {
    async [Symbol.asyncDispose]() {
      await relaying[Symbol.asyncDispose]()
      await dependencies.courier[Symbol.asyncDispose]()
    },
  }
}

/** Of a company that nobody has to found. */
export const addHook = async (
  database: Database,
  hook: { readonly companyId: string; readonly connectionUrl: string; readonly ordered: boolean },
): Promise<string> => {
  const now = new Date()
  const id = uuidv7(now.getTime())
  await insertHook(database.query, {
    ...hook,
    id,
    name: undefined,
    description: undefined,
    contentType: 'application/json',
    status: 'enabled',
    enableSSL: true,
    mode: 'all',
    scopes: [],
    listens: ['live/companies/update_one'],
    headerNames: [],
    sealedHeaders: sealHeaders(keystore, id, new Secret([])),
    sealedSecret: undefined,
    sealedPreviousSecret: undefined,
    previousSecretUntil: undefined,
    createdAt: now,
    updatedAt: now,
  })
  return id
}
