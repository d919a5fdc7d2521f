import { limits } from '@millseal/contract'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { migrate } from './adapters/database/migrate.ts'
import { createPgBossJobs } from './adapters/jobs/pg-boss.ts'
import { observeVault } from './adapters/vault/observed.ts'
import { type OpenedBroker, openBroker } from './compose/broker.ts'
import { openDatabase } from './compose/database.ts'
import { openKeys } from './compose/keys.ts'
import { observeLedgers, openLedgers } from './compose/ledgers.ts'
import { openMailer, type Ports } from './compose/ports.ts'
import { openServices } from './compose/services.ts'
import type { Config } from './config.ts'
import { portInUse } from './config/usable-settings.ts'
import type { HttpSettings } from './http/dependencies.ts'
import { createMetrics } from './http/metrics.ts'
import { registerPages } from './http/pages.ts'
import { type Dependency, probes, registerMetrics } from './http/probes.ts'
import { createHttpServer } from './http/server.ts'
import { createLog } from './lib/log.ts'
import { createAudit } from './adapters/audit/audit-table.ts'
import { type Clock, systemClock } from './ports/clock/clock.ts'
import { hasUsers, type MadeOperator, makeFirstOperator } from './services/user/index.ts'

export type Server = {
  readonly log: Logger
  readonly routes: readonly string[]
  /** Known once the server listens. */
  publicUrl(): string
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
  /** Called if the server cannot continue and must be stopped. */
  readonly onFatal?: (error: Error) => void
}

const stopDeadlineMs = 10_000
const closeDeadlineMs = 5_000

/** Only this file and those in `compose/` name adapters. */
export const compose = async (config: Config, given: Given = {}): Promise<Server> => {
  const clock = given.clock ?? systemClock
  const log = given.log ?? createLog(config.logLevel)
  await using opened = new AsyncDisposableStack()
  const database = opened.use(await openDatabase(config, log, given.onFatal))
  await migrate({ connection: database.connection, log })
  const metrics = createMetrics()
  const { keystore, vault } = openKeys(config, { clock, log })
  opened.use(vault)
  const server = await assemble(config, {
    clock,
    log,
    metrics,
    database,
    keystore,
    vault: observeVault(vault, metrics.registry),
    mailer: openMailer(config, clock),
    jobs: createPgBossJobs({ database, log }),
  })
  opened.move()
  return server
}

const assemble = async (config: Config, ports: Ports): Promise<Server> => {
  const { clock, log, database, vault, jobs, mailer } = ports
  let draining = false
  let listening: string | undefined
  const publicUrl = () => config.publicUrl ?? listening ?? `http://localhost:${config.port}`
  const broker = await openBroker(config, { ...ports, publicUrl })
  const ledgers = openLedgers(config, { ...ports, publicUrl })
  const services = openServices(config, { ...ports, ledgers, broker }, publicUrl)
  const logs = observeLedgers(ledgers, ports.metrics.registry)
  const { server, routes } = await openHttp(config, ports, {
    services,
    broker,
    logs,
    draining: () => draining,
    publicUrl,
    logKey: (mode) => ledgers.embedded(mode).files.readKey(),
  })

  return {
    log,
    routes,
    publicUrl,
    mqttUrl: () => broker.addresses().mqttUrl,
    async start() {
      await ledgers.start()
      await services.start()
      await jobs.start({ work: config.roles.includes('worker') })
      const isApi = config.roles.includes('api')
      const isNew = isApi && config.databaseUrl === undefined && !(await hasUsers(database.query))
      if (isApi) listening = (await listenAt(server, config)).replace('127.0.0.1', 'localhost')
      await services.acceptClients()
      // Last, so that no start fails after it and hides the password.
      return isNew ? makeFirstOperator({ database, clock, audit: createAudit(ports) }) : undefined
    },
    async stop() {
      draining = true
      if (listening !== undefined) await new Promise((done) => setTimeout(done, config.drainMs))
      await broker.stop()
      // Slow readers must not keep the server from stopping.
      const closeAll = setTimeout(() => server.server.closeAllConnections(), closeDeadlineMs)
      await server.close()
      clearTimeout(closeAll)
      await jobs.stop(stopDeadlineMs)
      await services.stop()
      await broker[Symbol.asyncDispose]()
      for (const part of [ledgers, vault, mailer, database]) await part[Symbol.asyncDispose]()
    },
  }
}

type Served = {
  readonly services: ReturnType<typeof openServices>
  readonly broker: OpenedBroker
  readonly logs: readonly Dependency[]
  readonly draining: () => boolean
  readonly publicUrl: () => string
  readonly logKey: Parameters<typeof registerPages>[1]['logKey']
}

const openHttp = async (
  config: Config,
  ports: Ports,
  { services, broker, logs, draining, publicUrl, logKey }: Served,
) => {
  const { database, clock, log, metrics } = ports
  const { authenticate, authenticateBrowser, findStanding } = services
  const { server, routes } = await createHttpServer({
    bindings: [
      ...probes({ dependencies: [...dependenciesOf(ports, broker), ...logs], draining }),
      ...services.bindings,
    ],
    authenticate,
    authenticateBrowser,
    findStanding,
    database,
    clock,
    log,
    metrics,
    settings: httpSettingsOf(config),
    draining,
  })
  registerPages(server, {
    accounts: services.accounts,
    hasSession: services.hasSession,
    publicUrl,
    logKey,
    sendsMails: config.smtpUrl !== undefined,
    canRegister: config.oidcIssuer === undefined,
    operatorName: config.operatorName,
  })
  services.mount(server)
  registerMetrics(server, {
    metrics,
    token: config.metricsToken,
    isBehindProxy: config.trustProxy.length > 0 || config.publicUrl?.startsWith('https:') === true,
  })
  return { server, routes }
}

/** The dependencies that readiness checks. */
const dependenciesOf = ({ database, jobs, mailer }: Ports, { dependency: broker }: OpenedBroker) =>
  Object.entries({ database, jobs, mailer, ...(broker && { broker }) }).map(([name, part]) => ({
    name,
    part,
  }))

const httpSettingsOf = ({
  services,
  rateLimit,
  certificateMebibytes,
  trustProxy,
  connectionsPerAddress,
  operatorMfa,
  publicUrl,
}: Config): HttpSettings => ({
  services,
  callsPerMinute: rateLimit,
  certificateBytes: certificateMebibytes * limits.body.certificateBytes,
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
    throw portInUse(config, error)
  }
}
