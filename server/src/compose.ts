import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { migrate } from './adapters/database/migrate.ts'
import { createPgBossJobs } from './adapters/jobs/pg-boss.ts'
import { observeVault } from './adapters/vault/observed.ts'
import { openBroker } from './compose/broker.ts'
import { openDatabase, openSharedDatabase } from './compose/database.ts'
import { openFiles, openFilesOf } from './compose/files.ts'
import { openKeys } from './compose/keys.ts'
import { observeLedgers, openLedgers } from './compose/ledgers.ts'
import { observeLogNode, type OpenedNode, openLogNode } from './compose/log-node.ts'
import { observeConnections } from './compose/observe.ts'
import { openMailer, openVatRegistry, type Ports } from './compose/ports.ts'
import type { SharedProcess } from './compose/processes/shared-process.ts'
import { openReadiness } from './compose/readiness.ts'
import { type OpenedSeals, openSeals } from './compose/seals.ts'
import { openServices } from './compose/services.ts'
import { readVersion } from './compose/status.ts'
import { openTracer } from './compose/telemetry.ts'
import { readVerifyNodes } from './config/cosigner-policy.ts'
import type { Config } from './config.ts'
import { portInUse } from './lib/port-in-use.ts'
import type { HttpSettings } from './http/dependencies.ts'
import { createMetrics } from './http/metrics.ts'
import { mountNode } from './http/mount-node.ts'
import { registerPages } from './http/pages.ts'
import { probes, registerMetrics } from './http/probes.ts'
import { createHttpServer } from './http/server.ts'
import { createLog } from './lib/log.ts'
import { createAudit } from './adapters/audit/audit-table.ts'
import { type Clock, systemClock } from './ports/clock/clock.ts'
import { hasUsers, type MadeOperator, makeFirstOperator } from './services/user/index.ts'
import { startDeadline } from './lib/deadline.ts'

export type Server = {
  readonly log: Logger
  readonly routes: readonly string[]
  /** Known once the server listens. */
  publicUrl(): string
  /** Where this process itself answers; undefined until it listens. */
  address(): string | undefined
  mqttUrl(): string
  /**
   * Resolves with the operator that was created because the embedded database had no users. Show the password once, and
   * never log it.
   */
  start(): Promise<MadeOperator | undefined>
  stop(): Promise<void>
}

export type Given = {
  readonly clock?: Clock
  readonly log?: Logger
  /** If this process shares the database and the port with others of a primary process. */
  readonly shared?: SharedProcess
  /** How long a query waits for a connection; default: 5 s. */
  readonly connectTimeoutMs?: number
  /** Called if the server cannot continue and must be stopped. */
  readonly onFatal?: (error: Error) => void
}

const stopDeadlineMs = 10_000
const closeDeadlineMs = 5_000

/** Only this file and those in `compose/` name adapters. */
export const compose = async (config: Config, given: Given = {}): Promise<Server> => {
  const clock = given.clock ?? systemClock
  const { shared } = given
  const rootLog = given.log ?? createLog(config.logLevel)
  const log = shared === undefined ? rootLog : rootLog.child({ process: shared.number })
  await using opened = new AsyncDisposableStack()
  const database = opened.use(
    await (shared === undefined
      ? openDatabase(config, log, given.onFatal, given.connectTimeoutMs)
      : openSharedDatabase(config, log)),
  )
  if (shared === undefined) await prepare(config, database, log)
  const metrics = createMetrics()
  const { keystore, vault, token } = openKeys(config, { clock, log })
  opened.use(vault)
  const tracer = opened.use(await openTracer(config, { clock, log, metrics }))
  const ports: Ports = {
    clock,
    log,
    metrics,
    tracer,
    database,
    keystore,
    vault: observeVault(vault, metrics.registry),
    mailer: openMailer(config, clock),
    jobs: createPgBossJobs({ database, log }),
  }
  const held = opened.use(await openLogNode(config, ports))
  const sealing = openSeals(config, ports, token)
  const server = await assemble(config, { ...ports, held, sealing }, shared)
  opened.move()
  return server
}

/** Migrates, and ends the start before anything else is opened if the files are in another place. */
const prepare = async (config: Config, database: Ports['database'], log: Logger): Promise<void> => {
  await migrate({ connection: database.connection, log })
  await openFilesOf(config, database)
}

type Parts = Ports & { readonly held: OpenedNode; readonly sealing: OpenedSeals }

const assemble = async (config: Config, ports: Parts, shared: SharedProcess | undefined): Promise<Server> => {
  const { clock, log, metrics, tracer, database, vault, jobs, mailer, held, sealing } = ports
  let draining = false
  let listening: string | undefined
  const publicUrl = () => config.publicUrl ?? listening ?? `http://localhost:${config.port}`
  const broker = await openBroker(config, { ...ports, publicUrl, relayPath: shared?.relayPath })
  const files = openFiles(config, database)
  const ledgers = openLedgers(config, { ...ports, files, publicUrl })
  const vatRegistry = openVatRegistry(config, clock)
  const parts = { ...ports, files, ledgers, broker, vatRegistry, processes: shared?.count ?? 1 }
  const services = openServices(config, { ...parts, seals: sealing.seals }, publicUrl)
  const readiness = openReadiness(config, {
    ...parts,
    logs: [...observeLedgers(ledgers, metrics.registry), ...observeLogNode(held, metrics.registry)],
    seals: sealing.dependencies,
    vatRegistry: vatRegistry.fresh,
    assertKeysOpen: services.assertKeysOpen,
  })
  const { server, routes } = await openHttp(config, ports, {
    services,
    readiness,
    readMetrics: shared?.exchangeMetrics(metrics.registry) ?? (() => metrics.registry.metrics()),
    draining: () => draining,
    publicUrl,
    logKey: (mode) => ledgers.embedded(mode).files.readKey(),
  })

  return {
    log,
    routes,
    publicUrl,
    address: () => listening,
    mqttUrl: () => broker.addresses().mqttUrl,
    async start() {
      await files.claim()
      await ledgers.start()
      await services.start()
      await jobs.start({ work: config.roles.includes('worker') })
      const isNew = await needsOperator(config, { database, shared })
      listening = (await listenAt(server, config)).replace('127.0.0.1', 'localhost')
      await services.acceptClients()
      held.start()
      // Last, so that no start fails after it and hides the password.
      return isNew ? makeFirstOperator({ database, clock, audit: createAudit(ports) }) : undefined
    },
    async stop() {
      draining = true
      if (listening !== undefined && config.roles.includes('api'))
        await new Promise((done) => setTimeout(done, config.drainMs))
      await broker.stop()
      await closeServer(server)
      await jobs.stop(stopDeadlineMs)
      await services.stop()
      for (const part of [held, broker, ledgers, vault, mailer, tracer, database])
        await part[Symbol.asyncDispose]()
    },
  }
}

/** The first operator is created with the embedded database, once. */
const needsOperator = async (
  config: Config,
  { database, shared }: { readonly database: Ports['database']; readonly shared: SharedProcess | undefined },
): Promise<boolean> =>
  config.roles.includes('api') &&
  shared?.isFirst !== false &&
  config.databaseUrl === undefined &&
  !(await hasUsers(database.query))

/** Slow readers must not keep the server from stopping. */
const closeServer = async (server: FastifyInstance): Promise<void> => {
  using _deadline = startDeadline(closeDeadlineMs, () => server.server.closeAllConnections())
  await server.close()
}

type Served = {
  readonly services: ReturnType<typeof openServices>
  readonly readiness: ReturnType<typeof openReadiness>
  readonly readMetrics: () => Promise<string>
  readonly draining: () => boolean
  readonly publicUrl: () => string
  readonly logKey: Parameters<typeof registerPages>[1]['logKey']
}

const openHttp = async (
  config: Config,
  ports: Parts,
  { services, readiness, readMetrics, draining, publicUrl, logKey }: Served,
) => {
  const { database, clock, log, metrics, tracer, held } = ports
  const { authenticate, authenticateBrowser, findStanding } = services
  const { server, routes } = await createHttpServer({
    bindings: [...probes({ readiness, draining }), ...services.bindings],
    authenticate,
    authenticateBrowser,
    findStanding,
    database,
    clock,
    log,
    metrics,
    tracer,
    settings: httpSettingsOf(config),
    draining,
  })
  observeConnections(server.server, ports)
  registerMetrics(server, {
    readMetrics,
    token: config.metricsToken,
    isBehindProxy: config.trustProxy.length > 0 || config.publicUrl?.startsWith('https:') === true,
  })
  if (!config.roles.includes('api')) return { server, routes }
  registerPages(server, {
    accounts: services.accounts,
    hasSession: services.hasSession,
    findSamples: services.findSamples,
    publicUrl,
    logKey,
    verifyNodes: readVerifyNodes(config),
    sendsMails: config.smtpUrl !== undefined,
    canRegister: config.oidcIssuer === undefined,
    operatorName: config.operatorName,
  })
  services.mount(server)
  if (held.node !== undefined) mountNode(server, { ...held, node: held.node, version: readVersion() })
  return { server, routes }
}

/** Without the role api, only health, readiness and metrics are answered: no service has them. */
const httpSettingsOf = ({
  roles,
  services,
  rateLimit,
  certificateMebibytes,
  trustProxy,
  connectionsPerAddress,
  operatorMfa,
  publicUrl,
}: Config): HttpSettings => ({
  services: roles.includes('api') ? services : [],
  callsPerMinute: rateLimit,
  certificateBytes: certificateMebibytes * 1024 * 1024,
  trustProxy,
  connectionsPerAddress,
  isSecure: publicUrl?.startsWith('https:') ?? false,
  operatorsNeedMfa: operatorMfa,
})

const listenAt = async (server: FastifyInstance, config: Config): Promise<string> => {
  try {
    return await server.listen({ port: config.port, host: config.host })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error
    throw portInUse({ setting: 'MILLSEAL_PORT', host: config.host, port: config.port }, error)
  }
}
