import type { Mode } from '@millseal/contract'
import { summarize } from '@millseal/families'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import { scheduleHousekeeping } from '../http/housekeeping.ts'
import { registerJwks } from '../http/jwks.ts'
import type { HttpDependencies } from '../http/dependencies.ts'
import { Secret } from '../lib/secret.ts'
import { createAuditChain } from '../adapters/audit/audit-chain.ts'
import { createAudit } from '../adapters/audit/audit-table.ts'
import { createOutbox } from '../adapters/outbox/outbox-table.ts'
import { createRetentionTime } from '../adapters/retention/retention-table.ts'
import {
  type AuthService,
  createAuthService,
  type ExternalIssuer,
  recordFactor,
} from '../services/auth/index.ts'
import {
  type CertificateService,
  createCertificateService,
  enqueueRevocationReport,
} from '../services/certificate/index.ts'
import {
  createKmService,
  enqueueMissingReviews,
  enqueueReviewEnd,
  findKeySteps,
  type KmService,
  mountBigchaindbApi,
  mountLogFiles,
  mountLogList,
} from '../services/km/index.ts'
import { createPipeService, type PipeService } from '../services/pipe/index.ts'
import { createUserService, type UserService } from '../services/user/index.ts'
import type { OpenedBroker } from './broker.ts'
import type { OpenedLedgers } from './ledgers.ts'
import { openDocuments } from './documents.ts'
import { statusRoutes } from './status.ts'
import { countsRoutes } from './counts.ts'
import { observeInstallation, observeNotarizations } from './observe.ts'
import type { LogFiles } from '../ports/ledger/log-files.ts'
import type { Seals } from '../ports/seals/seals.ts'
import { openCourier, type openVatRegistry, type Ports } from './ports.ts'

export type Services = Pick<
  HttpDependencies,
  'bindings' | 'authenticate' | 'authenticateBrowser' | 'findStanding'
> & {
  readonly accounts: UserService['accounts']
  readonly hasSession: AuthService['hasSession']
  readonly assertKeysOpen: AuthService['assertKeysOpen']
  readonly findSamples: CertificateService['findSamples']
  /** Registers everything outside the contract: key sets, sign-in pages, ledger files, sockets. */
  mount(server: FastifyInstance): void
  /** Call before the server accepts requests. */
  start(): Promise<void>
  /** Call once the queue runs and the public URL is known: it is the issuer in tokens. */
  acceptClients(): Promise<void>
  /** Call after the last request and before the ports are disposed. */
  stop(): Promise<void>
}

type Parts = Ports & {
  readonly ledgers: OpenedLedgers
  readonly broker: OpenedBroker
  readonly vatRegistry: ReturnType<typeof openVatRegistry>
  readonly seals: Seals
  /** How many processes share this machine. */
  readonly processes: number
}

const openLogs = (ports: Parts) => ({
  outbox: createOutbox(ports),
  audit: createAudit(ports),
  auditChain: createAuditChain(ports),
  retention: createRetentionTime(ports),
})

export const openServices = (config: Config, ports: Parts, publicUrl: () => string): Services => {
  const { vatRegistry } = ports
  const shared = { ...ports, ...openLogs(ports), publicUrl, mailBytes: config.mailBytes }
  const user = createUserService({
    ...shared,
    recordFactor,
    mailsPerDay: config.mailsPerDay,
    findKeySteps: (companyIds) => findKeySteps(ports.database.query, companyIds),
    onVerified: (tx, companyId) => enqueueMissingReviews(ports.jobs, tx, { companyId }),
    onReviewEnded: (tx, reviewId) => enqueueReviewEnd(ports.jobs, tx, reviewId),
  })
  const auth = createAuthService({ ...shared, users: user, externalIssuer: externalIssuerOf(config) })
  const km = openKm(ports, { ...shared, users: user })
  const documents = openDocuments(config, ports)
  const certificate = openCertificates(ports, auth, { ...shared, ...documents, users: user, keys: km })
  const courier = openCourier(config)
  const pipe = createPipeService({
    ...shared,
    users: user,
    courier,
    broker: ports.broker.publisher,
    brokerAddresses: ports.broker.addresses,
    admit: auth.admit,
    ...pipeSettingsOf(config),
    summarize,
  })
  observeInstallation({ ...ports, config, pipe })
  const working = new AsyncDisposableStack()
  scheduleHousekeeping(ports)
  return {
    bindings: [
      ...[user, auth, km, certificate, pipe].flatMap(({ bindings }) => bindings),
      ...statusRoutes({ ...ports, config, publicUrl, vatRegistry: vatRegistry.fresh, users: user, pipe }),
      ...countsRoutes({ certificate, pipe }),
    ],
    authenticate: auth.authenticate,
    authenticateBrowser: auth.authenticateBrowser,
    findStanding: user.findStanding,
    accounts: user.accounts,
    hasSession: auth.hasSession,
    assertKeysOpen: auth.assertKeysOpen,
    findSamples: certificate.findSamples,
    mount: (server) =>
      mountAll(server, { config, ports, publicUrl, services: { user, auth, km, certificate, pipe } }),
    async start() {
      await auth.assertKeysOpen()
      if (!config.roles.includes('worker')) return
      working.use(km.startWatching())
      working.use(pipe.startRelaying())
      working.use(certificate.startNotarizing())
    },
    async acceptClients() {
      if (config.roles.includes('worker')) await enqueueAtStart(ports, certificate)
      await ports.broker.start(pipe)
    },
    async stop() {
      for (const part of [working, courier, documents]) await part[Symbol.asyncDispose]()
    },
  }
}

const enqueueAtStart = ({ database, jobs }: Parts, certificate: CertificateService): Promise<void> =>
  database.transaction(async (tx) => {
    await enqueueMissingReviews(jobs, tx, {})
    await certificate.wantSamples(tx)
  })

type Mounted = {
  readonly config: Config
  readonly ports: Parts
  readonly publicUrl: () => string
  readonly services: {
    readonly user: UserService
    readonly auth: AuthService
    readonly km: KmService
    readonly certificate: CertificateService
    readonly pipe: PipeService
  }
}

const mountAll = (
  server: FastifyInstance,
  { config, ports, publicUrl, services: { user, auth, km, certificate, pipe } }: Mounted,
): void => {
  registerJwks(server, auth.publishedKeys)
  ports.broker.mount(server, pipe)
  server.addHook('preClose', () => pipe.stopFollowing())
  user.mount(server)
  certificate.mount(server)
  if (config.services.includes('auth-service')) auth.mount(server)
  if (!config.services.includes('km-service')) return
  km.mount(server)
  mountLedgers(server, { ...ports.ledgers, config, publicUrl })
}

const mountLedgers = (
  server: FastifyInstance,
  {
    embedded: ledger,
    config: { ledgerOpen: openModes, operatorName },
    publicUrl,
  }: Pick<OpenedLedgers, 'embedded'> & { readonly config: Config; readonly publicUrl: () => string },
): void => {
  const files = (mode: Mode): LogFiles => ledger(mode).files
  mountBigchaindbApi(server, { ledger, openModes, publicUrl })
  mountLogFiles(server, { files })
  mountLogList(server, { files, publicUrl, operatorName })
}

const openKm = (
  { jobs, metrics }: Ports,
  parts: Omit<Parameters<typeof createKmService>[0], 'metrics' | 'onRevoked'>,
): KmService =>
  createKmService({
    ...parts,
    metrics: metrics.registry,
    onRevoked: (tx, transactionId) => enqueueRevocationReport(jobs, tx, { transactionId }),
  })

const openCertificates = (
  ports: Parts,
  { findMachineName }: AuthService,
  parts: Omit<Parameters<typeof createCertificateService>[0], 'findMachineName' | 'onEnded' | 'seals'>,
): CertificateService =>
  createCertificateService({
    ...parts,
    seals: ports.seals,
    findMachineName,
    onEnded: observeNotarizations(ports),
  })

const pipeSettingsOf = ({ vhost, mailStatusKey, deliveriesPerDay, unverifiedDeliveriesPerDay }: Config) => ({
  vhost,
  mailStatusKey,
  deliveriesPerDay: { verified: deliveriesPerDay, unverified: unverifiedDeliveriesPerDay },
})

const externalIssuerOf = ({
  oidcIssuer,
  oidcClientId,
  oidcClientSecret,
  oidcTrustAmr,
}: Config): ExternalIssuer | undefined =>
  oidcIssuer === undefined || oidcClientId === undefined
    ? undefined
    : {
        issuer: oidcIssuer,
        clientId: oidcClientId,
        clientSecret: oidcClientSecret === undefined ? undefined : new Secret(oidcClientSecret),
        isAmrTrusted: oidcTrustAmr,
      }
