import { resolve } from 'node:path'
import { type Logger, pino } from 'pino'
import { openEmbedded } from './adapters/database/embedded/embedded.ts'
import { migrate } from './adapters/database/migrate.ts'
import { openPostgres } from './adapters/database/postgres.ts'
import { createPgBossJobs } from './adapters/jobs/pg-boss.ts'
import { createLocalKeystore, ensureMasterKeyFile } from './adapters/keystore/local.ts'
import { createEmlFolderMailer } from './adapters/mailer/eml-folder.ts'
import { createSmtpMailer } from './adapters/mailer/smtp.ts'
import type { Config } from './config.ts'
import { keepHouse } from './http/housekeeping.ts'
import { createMetrics } from './http/metrics.ts'
import { registerPages } from './http/pages.ts'
import { probes, registerMetrics } from './http/probes.ts'
import { createHttpServer, type HttpDependencies } from './http/server.ts'
import { Secret } from './lib/secret.ts'
import { createAudit } from './ports/audit/audit.ts'
import { type Clock, systemClock } from './ports/clock/clock.ts'
import type { Database } from './ports/database/database.ts'
import type { JobRunner } from './ports/jobs/jobs.ts'
import type { Keystore } from './ports/keystore/keystore.ts'
import type { Mailer } from './ports/mailer/mailer.ts'
import { createOutbox } from './ports/outbox/outbox.ts'
import { createAuthRoom } from './services/auth/index.ts'
import { createUserRoom } from './services/user/index.ts'

export type House = {
  readonly log: Logger
  readonly routes: readonly string[]
  /** Where people and machines reach it; known once it listens. */
  publicUrl(): string
  start(): Promise<void>
  stop(): Promise<void>
}

export type Given = {
  readonly clock?: Clock
  readonly log?: Logger
  /** Called when the house cannot go on and should be stopped. */
  readonly onFatal?: (error: Error) => void
}

const stopDeadlineMs = 10_000

type Ports = {
  readonly clock: Clock
  readonly log: Logger
  readonly database: Database
  readonly keystore: Keystore
  readonly mailer: Mailer
  readonly jobs: JobRunner
}

/** The only file that names concrete adapters. */
export const compose = async (config: Config, given: Given = {}): Promise<House> => {
  const clock = given.clock ?? systemClock
  const log =
    given.log ?? pino({ level: config.logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime })
  const database = await openDatabase(config, log, given.onFatal)
  try {
    await migrate({ connection: database.connection, log })
    const keystore = openKeystore(config)
    const mailer = openMailer(config, clock)
    return await furnish(config, {
      clock,
      log,
      database,
      keystore,
      mailer,
      jobs: createPgBossJobs({ database, log }),
    })
  } catch (error) {
    await database[Symbol.asyncDispose]()
    throw error
  }
}

const furnish = async (config: Config, ports: Ports): Promise<House> => {
  const { clock, log, database, jobs, mailer } = ports
  const metrics = createMetrics()
  let draining = false
  let listening: string | undefined
  const publicUrl = () => config.publicUrl ?? listening ?? `http://localhost:${config.port}`
  const dependencies = Object.entries({ database, jobs, mailer }).map(([name, part]) => ({ name, part }))
  const rooms = openRooms(ports, publicUrl)
  const { server, routes } = await createHttpServer({
    bindings: [...probes({ dependencies, draining: () => draining }), ...rooms.bindings],
    authenticate: rooms.authenticate,
    findStanding: rooms.findStanding,
    database,
    clock,
    log,
    metrics,
    settings: {
      services: config.services,
      callsPerMinute: config.rateLimit,
      trustProxy: config.trustProxy,
      isSecure: config.publicUrl?.startsWith('https:') ?? false,
    },
    draining: () => draining,
  })
  registerPages(server)
  registerMetrics(server, { metrics, token: config.metricsToken })

  return {
    log,
    routes,
    publicUrl,
    async start() {
      await jobs.start({ work: config.roles.includes('worker') })
      if (!config.roles.includes('api')) return
      const address = await server.listen({ port: config.port, host: config.host })
      listening = address.replace('127.0.0.1', 'localhost')
    },
    async stop() {
      draining = true
      if (listening !== undefined) await new Promise((done) => setTimeout(done, config.drainMs))
      await server.close()
      await jobs.stop(stopDeadlineMs)
      await mailer[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}

type Rooms = Pick<HttpDependencies, 'bindings' | 'authenticate' | 'findStanding'>

const openRooms = (ports: Ports, publicUrl: () => string): Rooms => {
  const shared = { ...ports, publicUrl, outbox: createOutbox(ports), audit: createAudit(ports) }
  const user = createUserRoom(shared)
  const auth = createAuthRoom({ ...shared, users: user })
  keepHouse(ports)
  return {
    bindings: [...user.bindings, ...auth.bindings],
    authenticate: auth.authenticate,
    findStanding: user.findStanding,
  }
}

const openDatabase = async (config: Config, log: Logger, onFatal: Given['onFatal']): Promise<Database> =>
  config.databaseUrl === undefined
    ? openEmbedded({
        dataDir: resolve(config.dataDir),
        applicationName: 'millseal',
        durable: true,
        maxConnections: config.databaseConnections,
        log,
        ...(onFatal === undefined ? {} : { onGivenUp: onFatal }),
      })
    : openPostgres({
        connection: config.databaseUrl,
        applicationName: 'millseal',
        maxConnections: config.databaseConnections,
        log,
      })

const openKeystore = (config: Config): Keystore =>
  createLocalKeystore(
    config.masterKey === undefined
      ? ensureMasterKeyFile(resolve(config.dataDir))
      : new Secret(Buffer.from(config.masterKey, 'base64')),
  )

const openMailer = (config: Config, clock: Clock): Mailer => {
  const from = config.mailFrom
  return config.smtpUrl === undefined
    ? createEmlFolderMailer({ folder: resolve(config.dataDir, 'mails'), from, clock })
    : createSmtpMailer({ url: new Secret(config.smtpUrl), from, clock })
}
