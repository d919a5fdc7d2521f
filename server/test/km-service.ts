import { resolve } from 'node:path'
import { type Mode, modes } from '@millseal/contract'
import { Registry } from 'prom-client'
import { openPostgres } from '../src/adapters/database/postgres.ts'
import { createFolderFiles } from '../src/adapters/files/folder.ts'
import { createPgBossJobs } from '../src/adapters/jobs/pg-boss.ts'
import { createLocalKeystore } from '../src/adapters/keystore/local.ts'
import { createBigchaindbHttpLedger } from '../src/adapters/ledger/bigchaindb-http/bigchaindb-http.ts'
import { createEmbeddedLedger, type EmbeddedLedger } from '../src/adapters/ledger/embedded/embedded.ts'
import { createEmlFolderMailer } from '../src/adapters/mailer/eml-folder.ts'
import { createLocalVault } from '../src/adapters/vault/local/local.ts'
import { createOfflineVatRegistry } from '../src/adapters/vat-registry/offline.ts'
import { Secret } from '../src/lib/secret.ts'
import { createAuditChain } from '../src/adapters/audit/audit-chain.ts'
import { createAudit } from '../src/adapters/audit/audit-table.ts'
import { createOutbox } from '../src/adapters/outbox/outbox-table.ts'
import { noTracer } from '../src/ports/tracer/tracer.ts'
import { createRetentionTime } from '../src/adapters/retention/retention-table.ts'
import { openFiles } from '../src/compose/files.ts'
import { enqueueRevocationReport } from '../src/services/certificate/index.ts'
import {
  createKmService,
  enqueueMissingReviews,
  enqueueReviewEnd,
  findKeySteps,
  type KmService,
} from '../src/services/km/index.ts'
import { createUserService } from '../src/services/user/index.ts'
import type { TestServer } from './test-server.ts'
import { silentLog } from './silent-log.ts'

export type SecondKmService = AsyncDisposable & { readonly service: KmService; readonly metrics: Registry }

/** A second km-service on the database of this server, as another process has it. */
export const openKmService = async ({ config, clock, url }: TestServer): Promise<SecondKmService> => {
  await using opening = new AsyncDisposableStack()
  const database = opening.use(
    openPostgres({
      connection: config.databaseUrl ?? '',
      applicationName: 'another process',
      maxConnections: 8,
      log: silentLog,
    }),
  )
  const [masterKey = new Secret(Buffer.alloc(32))] = config.masterKeys
  const keystore = createLocalKeystore(masterKey)
  const jobs = createPgBossJobs({ database, log: silentLog })
  const mailer = createEmlFolderMailer({
    folder: resolve(config.dataDir, 'mails'),
    from: 'server@localhost',
    clock,
  })
  const shared = {
    database,
    jobs,
    mailer,
    keystore,
    clock,
    log: silentLog,
    publicUrl: () => url,
    audit: createAudit({ clock }),
    auditChain: createAuditChain({ clock }),
    outbox: createOutbox({ clock, tracer: noTracer }),
    retention: createRetentionTime({ database, clock }),
  }
  const files = openFiles(config, database)
  const openLedger = async (mode: Mode): Promise<EmbeddedLedger> => {
    const ledger = opening.use(
      createEmbeddedLedger({
        ...shared,
        mode,
        files,
        claim: files.claim,
        knownCheckpoints: [createFolderFiles(resolve(config.dataDir, 'known'))],
        origin: () => `${new URL(url).host}/ledger/${mode}`,
      }),
    )
    await ledger.start()
    return ledger
  }
  const ledgers = new Map(
    await Promise.all(modes.map(async (mode) => [mode, await openLedger(mode)] as const)),
  )
  const registry = createOfflineVatRegistry()
  const users = createUserService({
    ...shared,
    vatRegistry: { fresh: registry, remembered: registry },
    recordFactor: async () => {},
    mailsPerDay: Infinity,
    findKeySteps: (companyIds) => findKeySteps(database.query, companyIds),
    onVerified: (tx, companyId) => enqueueMissingReviews(jobs, tx, { companyId }),
    onReviewEnded: (tx, reviewId) => enqueueReviewEnd(jobs, tx, reviewId),
  })
  const metrics = new Registry()
  const service = createKmService({
    ...shared,
    users,
    vault: createLocalVault({ keystore, clock }),
    ledgers: {
      embedded: (mode) => ledgers.get(mode) ?? unknownMode(mode),
      at: (mode, address) => createBigchaindbHttpLedger({ mode, url: address }),
    },
    metrics,
    onRevoked: (tx, transactionId) => enqueueRevocationReport(jobs, tx, { transactionId }),
  })
  const opened = opening.move()
  return { service, metrics, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

const unknownMode = (mode: Mode): never => {
  throw new Error(`There is no ledger of ${mode} mode`)
}
