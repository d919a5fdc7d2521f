import { resolve } from 'node:path'
import type { Logger } from 'pino'
import { attachEmbedded } from './adapters/database/embedded/attach.ts'
import { openEmbedded } from './adapters/database/embedded/embedded.ts'
import { migrate } from './adapters/database/migrate.ts'
import { openPostgres } from './adapters/database/postgres.ts'
import { createPgBossJobs } from './adapters/jobs/pg-boss.ts'
import { createLocalKeystore, ensureMasterKeyFile } from './adapters/keystore/local.ts'
import { createEmlFolderMailer } from './adapters/mailer/eml-folder.ts'
import { createSmtpMailer } from './adapters/mailer/smtp.ts'
import { createCachedVatRegistry } from './adapters/vat-registry/cached.ts'
import { createOfflineVatRegistry } from './adapters/vat-registry/offline.ts'
import { createViesRegistry } from './adapters/vat-registry/vies.ts'
import type { Config } from './config.ts'
import { keepHouse } from './http/housekeeping.ts'
import { registerJwks } from './http/jwks.ts'
import { createMetrics } from './http/metrics.ts'
import { registerPages } from './http/pages.ts'
import { probes, registerMetrics } from './http/probes.ts'
import { createHttpServer, type HttpDependencies } from './http/server.ts'
import { createLog } from './lib/log.ts'
import { Secret } from './lib/secret.ts'
import { createAudit } from './ports/audit/audit.ts'
import { type Clock, systemClock } from './ports/clock/clock.ts'
import type { Database } from './ports/database/database.ts'
import type { JobRunner } from './ports/jobs/jobs.ts'
import type { Keystore } from './ports/keystore/keystore.ts'
import type { Mailer } from './ports/mailer/mailer.ts'
import { createOutbox } from './ports/outbox/outbox.ts'
import {
  type AuthRoom,
  createAuthRoom,
  type ExternalIssuer,
  type Rotation,
  rotateSigningKey,
} from './services/auth/index.ts'
import {
  createUserRoom,
  type MadeOperator,
  makeFirstOperator,
  makeOperator,
  type UserRoomDependencies,
  type WantedOperator,
} from './services/user/index.ts'

export type House = {
  readonly log: Logger
  readonly routes: readonly string[]
  /** Where people and machines reach it; known once it listens. */
  publicUrl(): string
  /** Made because the embedded database had no users yet; the password is to be shown, once, and never logged. */
  readonly firstOperator: MadeOperator | undefined
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
const closeDeadlineMs = 5_000

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
  const log = given.log ?? createLog(config.logLevel)
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

/** Without the house: in the database of the running server, or in one started for this alone. */
export const makeOperatorIn = async (config: Config, wanted: WantedOperator): Promise<MadeOperator> => {
  await using database = await openForCommand(config, createLog('silent'))
  const clock = systemClock
  return await makeOperator({ database, clock, audit: createAudit({ clock }) })(wanted)
}

/** Just so: the running server takes the new key up by itself. */
export const rotateSigningKeyIn = async (config: Config): Promise<Rotation> => {
  await using database = await openForCommand(config, createLog('silent'))
  const clock = systemClock
  const keystore = openKeystore(config)
  return await rotateSigningKey({ database, keystore, clock, audit: createAudit({ clock }) })({
    actor: 'command',
  })
}

const furnish = async (config: Config, ports: Ports): Promise<House> => {
  const { clock, log, database, jobs, mailer } = ports
  const metrics = createMetrics()
  let draining = false
  let listening: string | undefined
  const publicUrl = () => config.publicUrl ?? listening ?? `http://localhost:${config.port}`
  const dependencies = Object.entries({ database, jobs, mailer }).map(([name, part]) => ({ name, part }))
  const rooms = openRooms(config, ports, publicUrl)
  const { server, routes } = await createHttpServer({
    bindings: [...probes({ dependencies, draining: () => draining }), ...rooms.bindings],
    authenticate: rooms.authenticate,
    authenticateBrowser: rooms.authenticateBrowser,
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
  registerJwks(server, rooms.publishedKeys)
  if (config.services.includes('auth-service')) rooms.mount(server)
  registerMetrics(server, { metrics, token: config.metricsToken })

  return {
    log,
    routes,
    publicUrl,
    firstOperator:
      config.databaseUrl === undefined && config.roles.includes('api')
        ? await makeFirstOperator({ database, clock, audit: createAudit(ports) })
        : undefined,
    async start() {
      await rooms.assertKeysOpen()
      await jobs.start({ work: config.roles.includes('worker') })
      if (!config.roles.includes('api')) return
      const address = await server.listen({ port: config.port, host: config.host })
      listening = address.replace('127.0.0.1', 'localhost')
    },
    async stop() {
      draining = true
      if (listening !== undefined) await new Promise((done) => setTimeout(done, config.drainMs))
      // Somebody who reads slowly, or not at all, does not keep the house open.
      const impatience = setTimeout(() => server.server.closeAllConnections(), closeDeadlineMs)
      await server.close()
      clearTimeout(impatience)
      await jobs.stop(stopDeadlineMs)
      await mailer[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}

type Rooms = Pick<HttpDependencies, 'bindings' | 'authenticate' | 'findStanding'> &
  Pick<AuthRoom, 'publishedKeys' | 'authenticateBrowser' | 'mount' | 'assertKeysOpen'>

const openRooms = (config: Config, ports: Ports, publicUrl: () => string): Rooms => {
  const shared = { ...ports, publicUrl, outbox: createOutbox(ports), audit: createAudit(ports) }
  const vatRegistry = openVatRegistry(config, ports.clock)
  const user = createUserRoom({ ...shared, vatRegistry, operatorsNeedMfa: config.operatorMfa })
  const auth = createAuthRoom({ ...shared, users: user, externalIssuer: externalIssuerOf(config) })
  keepHouse(ports)
  return {
    bindings: [...user.bindings, ...auth.bindings],
    authenticate: auth.authenticate,
    authenticateBrowser: auth.authenticateBrowser,
    mount: auth.mount,
    publishedKeys: auth.publishedKeys,
    assertKeysOpen: auth.assertKeysOpen,
    findStanding: user.findStanding,
  }
}

const externalIssuerOf = ({
  oidcIssuer,
  oidcClientId,
  oidcClientSecret,
}: Config): ExternalIssuer | undefined =>
  oidcIssuer === undefined || oidcClientId === undefined
    ? undefined
    : {
        issuer: oidcIssuer,
        clientId: oidcClientId,
        clientSecret: oidcClientSecret === undefined ? undefined : new Secret(oidcClientSecret),
      }

/** At the schema of this release; that of the running server where one holds the data folder. */
const openForCommand = async (config: Config, log: Logger): Promise<Database> => {
  const attached =
    config.databaseUrl === undefined
      ? await attachEmbedded({
          dataDir: resolve(config.dataDir),
          applicationName: 'millseal command',
          maxConnections: 2,
          log,
        })
      : undefined
  const database = attached ?? (await openDatabase(config, log, undefined))
  try {
    await migrate({ connection: database.connection, log })
    return database
  } catch (error) {
    await database[Symbol.asyncDispose]()
    throw error
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

const openVatRegistry = ({ vies }: Config, clock: Clock): UserRoomDependencies['vatRegistry'] => {
  const fresh =
    vies === 'off'
      ? createOfflineVatRegistry()
      : createViesRegistry({ clock, ...(vies === 'on' ? {} : { url: vies }) })
  return { fresh, remembered: createCachedVatRegistry({ registry: fresh, clock }) }
}

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
