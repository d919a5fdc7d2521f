import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { createAedesBroker } from '../adapters/broker/aedes/aedes-broker.ts'
import { ensureCertificate } from '../adapters/broker/aedes/ensure-certificate.ts'
import type { Certificate, ListenAddresses } from '../adapters/broker/aedes/listeners.ts'
import { webSocketPath } from '../adapters/broker/aedes/web-socket.ts'
import { createAuthBackend, questions } from '../adapters/broker/rabbitmq/auth-backend.ts'
import type { Config } from '../config.ts'
import { registerBrokerQuestions } from '../http/broker-questions.ts'
import { Secret } from '../lib/secret.ts'
import type { Broker, BrokerAuthenticator, BrokerPublisher } from '../ports/broker/broker.ts'
import type { BrokerAddresses } from '../services/pipe/index.ts'
import type { Ports } from './ports.ts'

/** Authorizes MQTT clients of this vhost. */
type Authorizer = { readonly gatekeeper: BrokerAuthenticator; readonly vhost: () => Promise<string> }

export type OpenedBroker = AsyncDisposable & {
  readonly publisher: BrokerPublisher
  /** Checked by readiness; undefined if another process of ours serves the clients. */
  readonly dependency: { check: Broker['check'] } | undefined
  /** This process serves the clients of MQTT, or replaces the process that does. */
  readonly isServedHere: boolean
  addresses(): BrokerAddresses
  /** The MQTT clients of this process, or undefined while another process is the broker. Missing if this process never is. */
  readonly connections: (() => number | undefined) | undefined
  mount(server: FastifyInstance, authorizer: Authorizer): void
  /** Accepts clients if this process has the broker role. */
  start(authorizer: Authorizer): Promise<void>
  /** Disconnects clients; publishing continues until disposal. */
  stop(): Promise<void>
}

type Parts = Ports & {
  readonly publicUrl: () => string
  /** If several processes share one port: where the one with MQTT takes WebSockets over. */
  readonly relayPath: string | undefined
}

export const openBroker = async (config: Config, parts: Parts): Promise<OpenedBroker> =>
  config.amqpUrl === undefined
    ? await openEmbedded(config, parts)
    : await openRabbitMq(config, config.amqpUrl, parts)

const openEmbedded = async (
  config: Config,
  { database, clock, log, publicUrl, relayPath }: Parts,
): Promise<OpenedBroker> => {
  const serves = config.roles.includes('broker')
  const broker = createAedesBroker({
    database,
    clock,
    log,
    listen: serves
      ? await listenAddresses(config, new Date(clock.now()))
      : { plain: undefined, tls: undefined },
    limits: { total: config.mqttConnections, perAddress: config.mqttConnectionsPerAddress },
    behindProxy: config.trustProxy.length > 0,
    relayPath,
  })
  return {
    publisher: broker,
    dependency: serves ? broker : undefined,
    isServedHere: serves,
    addresses: () => addressesOf(config, publicUrl(), broker.ports()),
    connections: serves ? () => broker.connections : undefined,
    mount(server) {
      if (serves) broker.mount(server.server)
    },
    async start({ gatekeeper }) {
      if (serves) await broker.start(gatekeeper)
    },
    async stop() {
      await broker[Symbol.asyncDispose]()
    },
    async [Symbol.asyncDispose]() {},
  }
}

const openRabbitMq = async (
  config: Config,
  url: string,
  { log, publicUrl }: Parts,
): Promise<OpenedBroker> => {
  // A late import, because few servers have a RabbitMQ.
  const { createRabbitMqBroker } = await import('../adapters/broker/rabbitmq/rabbitmq-broker.ts')
  const broker = createRabbitMqBroker({ url: new Secret(url), log })
  return {
    publisher: broker,
    dependency: broker,
    isServedHere: false,
    addresses: () => addressesOf(config, publicUrl(), undefined),
    connections: undefined,
    mount(server, { gatekeeper, vhost }) {
      const secret = config.brokerAuthSecret
      if (secret === undefined) return
      registerBrokerQuestions(server, { questions, secret, answer: createAuthBackend(gatekeeper, vhost) })
    },
    async start() {},
    async stop() {},
    [Symbol.asyncDispose]: () => broker[Symbol.asyncDispose](),
  }
}

const thisMachine = '127.0.0.1'

const listenAddresses = async (config: Config, now: Date): Promise<ListenAddresses> => ({
  plain: config.mqttPort === undefined ? undefined : { host: thisMachine, port: config.mqttPort },
  tls:
    config.mqttsPort === undefined
      ? undefined
      : { host: config.host, port: config.mqttsPort, ...(await certificateOf(config, now)) },
})

const certificateOf = async (config: Config, now: Date): Promise<Certificate> => {
  if (config.mqttsPem !== undefined) {
    const pem = readFileSync(config.mqttsPem, 'utf8')
    return { key: pem, certificate: pem }
  }
  const hosts = [config.publicUrl, config.mqttUrl].flatMap((url) =>
    url === undefined ? [] : [new URL(url).hostname],
  )
  const names = [...new Set(['localhost', thisMachine, ...hosts])].filter((name) => !name.includes(':'))
  return await ensureCertificate({ folder: resolve(config.dataDir), names, now })
}

/** By default, clients on this machine connect without encryption and others with it. */
const addressesOf = (
  config: Config,
  publicUrl: string,
  listening: { readonly plainPort: number | undefined; readonly tlsPort: number | undefined } | undefined,
): BrokerAddresses => {
  const { hostname } = new URL(publicUrl)
  const plain = listening?.plainPort ?? config.mqttPort
  const tls = listening?.tlsPort ?? config.mqttsPort
  const isLocal = ['localhost', thisMachine, '[::1]'].includes(hostname)
  const wsUrl = `${publicUrl.replace(/^http/, 'ws')}${webSocketPath}`
  const encryptedUrl = tls === undefined ? wsUrl : `mqtts://${hostname}:${tls}`
  const mqttUrl = isLocal && plain !== undefined ? `mqtt://localhost:${plain}` : encryptedUrl
  return { mqttUrl: config.mqttUrl ?? mqttUrl, wsUrl }
}
