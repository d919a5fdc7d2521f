import { createHash, randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import {
  createFileReader,
  createPdfRenderer,
  createRegistry,
  readCertificate,
  summarize,
} from '@millseal/families'
import { limits } from '@millseal/contract'
import { sql } from 'kysely'
import { pino } from 'pino'
import { openPostgres } from '../src/adapters/database/postgres.ts'
import { createPgBossJobs } from '../src/adapters/jobs/pg-boss.ts'
import { createLocalKeystore } from '../src/adapters/keystore/local.ts'
import { createEmlFolderMailer } from '../src/adapters/mailer/eml-folder.ts'
import { createOfflineVatRegistry } from '../src/adapters/vat-registry/offline.ts'
import { createAuditChain } from '../src/adapters/audit/audit-chain.ts'
import { createAudit } from '../src/adapters/audit/audit-table.ts'
import { openPacks } from '../src/compose/packs.ts'
import type { Job, JobKind } from '../src/ports/jobs/jobs.ts'
import { createOutbox } from '../src/adapters/outbox/outbox-table.ts'
import { noTracer } from '../src/ports/tracer/tracer.ts'
import { createRetentionTime } from '../src/adapters/retention/retention-table.ts'
import { findMachineName } from '../src/services/auth/index.ts'
import type { CertificateDependencies } from '../src/services/certificate/index.ts'
import { enqueueMissingReviews, enqueueReviewEnd, findKeySteps } from '../src/services/km/index.ts'
import { createUserService } from '../src/services/user/index.ts'
import { uuidv7 } from '../src/lib/uuid.ts'
import { openKmService } from './km-service.ts'
import { silentLog } from './silent-log.ts'
import type { TestServer } from './test-server.ts'
import { generousDeadline, generousMs } from './eventually.ts'

export type CertificateProcess = AsyncDisposable & {
  readonly deps: CertificateDependencies
  /** The lines that this process logged. */
  readonly log: readonly string[]
}

/** The dependencies of certificate-service in another process. The test calls its functions; no job runs by itself. */
export const openCertificateProcess = async (
  server: TestServer,
  { mailsPerDay = Infinity }: { readonly mailsPerDay?: number } = {},
): Promise<CertificateProcess> => {
  await using opening = new AsyncDisposableStack()
  const { config, clock, url } = server
  const connection = config.databaseUrl ?? ''
  const database = opening.use(
    openPostgres({
      connection,
      applicationName: 'certificates',
      maxConnections: 8,
      connectTimeoutMs: generousMs,
      log: silentLog,
    }),
  )
  const { service: keys } = opening.use(await openKmService(server))
  const lines: string[] = []
  const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) })
  const jobs = createPgBossJobs({ database, log })
  const mailer = createEmlFolderMailer({
    folder: resolve(config.dataDir, 'mails'),
    from: 'server@localhost',
    clock,
  })
  const registry = createOfflineVatRegistry()
  const shared = {
    database,
    jobs,
    mailer,
    clock,
    log,
    publicUrl: () => url,
    audit: createAudit({ clock }),
    auditChain: createAuditChain({ clock }),
    outbox: createOutbox({ clock, tracer: noTracer }),
    retention: createRetentionTime({ database, clock }),
    tracer: noTracer,
    mailBytes: 10 * 2 ** 20,
  }
  const [masterKey] = config.masterKeys
  if (masterKey === undefined) throw new Error('The test server has no master key')
  const users = createUserService({
    ...shared,
    keystore: createLocalKeystore(masterKey),
    vatRegistry: { fresh: registry, remembered: registry },
    recordFactor: async () => {},
    mailsPerDay,
    findKeySteps: (companyIds) => findKeySteps(database.query, companyIds),
    onVerified: (tx, companyId) => enqueueMissingReviews(jobs, tx, { companyId }),
    onReviewEnded: (tx, reviewId) => enqueueReviewEnd(jobs, tx, reviewId),
  })
  const pdf = opening.use(createPdfRenderer({ workers: 1, log }))
  const reader = opening.use(createFileReader({ workers: 1, log, nowMs: () => clock.now() }))
  const schemas = createRegistry({ log })
  const packs = openPacks(config, database)
  await jobs.start({ work: false })
  opening.defer(() => jobs.stop(0))
  const opened = opening.move()
  return {
    deps: {
      ...shared,
      users,
      keys,
      pdf,
      seals: { find: () => undefined },
      reader,
      schemas,
      packs,
      allowsOtherSellers: true,
      hasSamples: false,
      awaitsQuorum: false,
      confirmWaitMs: generousMs,
      certificateBytes: limits.body.certificateBytes,
      certificatesPerDay: { verified: Infinity, unverified: Infinity },
      onEnded: () => {},
      queueMinutes: { company: Infinity, service: Infinity },
      findMachineName: (machine) => findMachineName(database.query, machine),
    },
    log: lines,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

type Accepted = {
  readonly companyId: string
  readonly identityId: string
  readonly certificate: object
  readonly mode?: 'test' | 'live'
  /** Attempts that were made already. */
  readonly attempts?: number
}

/** Stores an accepted certificate; the test decides when it is notarized. Returns its id. */
export const acceptCertificate = async (
  { database, clock }: CertificateDependencies,
  { companyId, identityId, certificate, mode = 'test', attempts = 0 }: Accepted,
): Promise<string> => {
  const body = Buffer.from(JSON.stringify(certificate))
  const read = readCertificate(body)
  const now = new Date(clock.now())
  const id = uuidv7(now.getTime())
  await database.query
    .insertInto('certificates')
    .values({
      id,
      companyId,
      identityId,
      mode,
      state: 'accepted',
      refSchemaUrl: read.refSchemaUrl,
      family: 'en10168',
      hash: read.hash,
      summary: JSON.stringify(summarize(read)),
      body,
      attempts,
      // No worker claims it: the test decides when it runs.
      nextAttemptAt: new Date(now.getTime() + 6 * 3_600_000),
      retainedUntil: new Date(now.getTime() + 86_400_000),
      createdAt: now,
      updatedAt: now,
    })
    .execute()
  return id
}

export const jobOf = <Data extends object>(
  data: Data,
  signal: AbortSignal = generousDeadline(),
): Job<Data> => ({ id: randomUUID(), data, signal })

/** The whole row of a certificate. */
export const storedCertificate = ({ database }: CertificateDependencies, id: string) =>
  database.query.selectFrom('certificates').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

/** The data of all jobs of this kind about one certificate, done or not, in the order in which they were enqueued. */
export const jobsAbout = async <Data extends object>(
  { database }: CertificateDependencies,
  kind: JobKind<Data>,
  certificateId: string,
): Promise<Data[]> => {
  const { rows } = await sql<{ data: Data }>`
    select data from pgboss.job where name = ${kind.name} and data->>'certificateId' = ${certificateId}
    order by created_on, id`.execute(database.query)
  return rows.map(({ data }) => data)
}

/** Makes the database reject new rows of this table until the result is disposed of: the error says `interrupted`. */
export const rejectInserts = async (
  { database: { query } }: CertificateDependencies,
  table: 'audit_log' | 'outbox' | 'pgboss.job',
): Promise<AsyncDisposable> => {
  await sql`
    create or replace function reject_insert() returns trigger language plpgsql
    as $$ begin raise exception 'interrupted'; end $$`.execute(query)
  await sql`
    create trigger reject_insert before insert on ${sql.table(table)}
    for each row execute function reject_insert()`.execute(query)
  return {
    async [Symbol.asyncDispose]() {
      await sql`drop trigger reject_insert on ${sql.table(table)}`.execute(query)
    },
  }
}

export const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex')
