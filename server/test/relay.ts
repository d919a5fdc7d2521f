import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { pino } from 'pino'
import { createUndiciCourier } from '../src/adapters/courier/undici/undici.ts'
import { createPgBossJobs } from '../src/adapters/jobs/pg-boss.ts'
import { createLocalKeystore } from '../src/adapters/keystore/local.ts'
import { createEmlFolderMailer } from '../src/adapters/mailer/eml-folder.ts'
import { Problem } from '../src/lib/problem.ts'
import { Secret } from '../src/lib/secret.ts'
import { uuidv7 } from '../src/lib/uuid.ts'
import { createAudit } from '../src/adapters/audit/audit-table.ts'
import type { BrokerPublisher } from '../src/ports/broker/broker.ts'
import { type Clock, systemClock } from '../src/ports/clock/clock.ts'
import type { Database, Query, Transaction } from '../src/ports/database/database.ts'
import { createOutbox } from '../src/adapters/outbox/outbox-table.ts'
import { noTracer } from '../src/ports/tracer/tracer.ts'
import { createRetentionTime } from '../src/adapters/retention/retention-table.ts'
import { createPipeService, type PipeOptions } from '../src/services/pipe/index.ts'
import type { UserService } from '../src/services/user/index.ts'

const keystore = createLocalKeystore(new Secret(Buffer.alloc(32, 'relay')))
const silent = pino({ level: 'silent' })

export type RelayOptions = {
  readonly clock?: Clock
  readonly broker?: BrokerPublisher
  readonly pace?: NonNullable<PipeOptions['pace']>
  /** Deleted companies; all others exist. */
  readonly deletedCompanies?: ReadonlySet<string>
}

/** The relay alone, on a database that services write to. */
export const startRelay = (database: Database, options: RelayOptions = {}): AsyncDisposable => {
  const clock = options.clock ?? systemClock
  const owner = { id: randomUUID(), name: 'Rolling Mill', vatId: 'ATU12345678' }
  const dependencies: PipeOptions = {
    users: {
      findCompany: async (_query: Query, id: string) => ({ ...owner, id }),
      findCompaniesById: async (_query: Query, ids: readonly string[]) =>
        ids.filter((id) => options.deletedCompanies?.has(id) !== true).map((id) => ({ ...owner, id })),
      takeOfDay: async () => new Map(),
    } as Partial<UserService> as UserService,
    database,
    jobs: createPgBossJobs({ database, log: silent }),
    mailer: createEmlFolderMailer({ folder: '/nonexistent', from: 'nobody@example.com', clock }),
    keystore,
    courier: createUndiciCourier({ allow: ['127.0.0.0/8'] }),
    clock,
    outbox: createOutbox({ clock, tracer: noTracer }),
    retention: createRetentionTime({ database, clock }),
    audit: createAudit({ clock }),
    tracer: noTracer,
    publicUrl: () => 'http://localhost',
    mailBytes: 10 * 2 ** 20,
    log: silent,
    broker: options.broker,
    brokerAddresses: () => ({ mqttUrl: 'mqtt://localhost', wsUrl: 'ws://localhost' }),
    vhost: 'relay',
    admit: async () => {
      throw new Problem('token_invalid')
    },
    mailStatusKey: undefined,
    deliveriesPerDay: { verified: Infinity, unverified: Infinity },
    summarize: () => ({}),
    pace: options.pace,
  }
  const relaying = createPipeService(dependencies).startRelaying()
  return {
    async [Symbol.asyncDispose]() {
      await relaying[Symbol.asyncDispose]()
      await dependencies.courier[Symbol.asyncDispose]()
    },
  }
}

/** A webhook of an invented company; unsigned, for changes of the company. */
export const addHook = async (
  { query }: Database,
  hook: { readonly companyId: string; readonly connectionUrl: string; readonly ordered: boolean },
): Promise<void> => {
  const id = uuidv7(Date.now())
  const encryptedHeaders = keystore.encrypt(Buffer.from('[]'), `hooks/${id}/headers`)
  await sql`
    insert into hooks (id, company_id, connection_url, content_type, status, enable_ssl, ordered, mode, scopes, listens,
      header_names, encrypted_headers, created_at, updated_at)
    values (${id}, ${hook.companyId}, ${hook.connectionUrl}, 'application/json', 'enabled', true, ${hook.ordered}, 'all',
      '[]', '{live/companies/update_one}', '{}', ${encryptedHeaders}, now(), now())`.execute(query)
}

const outbox = createOutbox({ clock: systemClock, tracer: noTracer })

/** A change of the company that `addHook` listens to. Resolves with the id of the event. */
export const writeEvent = (tx: Transaction, companyId: string, n: number): Promise<string> =>
  outbox.write(tx, {
    resource: 'companies',
    action: 'update_one',
    owner: { kind: 'company', id: companyId },
    mode: 'live',
    payload: { n },
  })
