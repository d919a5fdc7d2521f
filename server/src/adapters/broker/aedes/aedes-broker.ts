import type { Server } from 'node:http'
import type { Duplex } from 'node:stream'
import type {
  Broker,
  BrokerAuthenticator,
  BrokerMessage,
  BrokerPublisher,
} from '../../../ports/broker/broker.ts'
import { routeUpgrade } from '../../../lib/upgrade-routes.ts'
import type { AedesBrokerOptions } from './broker-options.ts'
import { createConnectionLimiter } from './connection-limits.ts'
import { createMessagePublisher } from './message-publisher.ts'
import type { Listeners } from './listeners.ts'
import { type PassedOn, passOn } from './relay.ts'
import { beginTerm, type Term } from './term.ts'
import { createWebSocketAcceptor, webSocketPath } from './web-socket.ts'

const retryMs = 1_000

export const createAedesBroker = (options: AedesBrokerOptions): AedesBroker => new AedesBroker(options)

/**
 * aedes in this process, with its sessions and queues in the database. One of the processes of a database is the broker.
 * The others publish through it, and one of them replaces it when it stops.
 */
export class AedesBroker implements Broker {
  readonly #options: AedesBrokerOptions
  readonly #publisher: BrokerPublisher
  readonly #admit: (stream: Duplex, address: string | undefined) => boolean
  readonly #acceptWebSocket: (upgrade: PassedOn) => void
  #term: Term | undefined
  #retry: NodeJS.Timeout | undefined
  #isStandby = false
  #stopped = false
  #changing: Promise<void> = Promise.resolve()

  constructor(options: AedesBrokerOptions) {
    this.#options = options
    this.#publisher = createMessagePublisher(options)
    this.#admit = createConnectionLimiter(options.limits)
    this.#acceptWebSocket = createWebSocketAcceptor({
      isBroker: () => this.#term !== undefined,
      onStream: (stream, address) =>
        this.#receive(stream, options.behindProxy === true ? undefined : address),
    })
  }

  publish(messages: readonly BrokerMessage[], signal?: AbortSignal): Promise<void> {
    return this.#publisher.publish(messages, signal)
  }

  start(authenticator: BrokerAuthenticator): Promise<void> {
    return this.#change(() => this.#beginTerm(authenticator))
  }

  /** Serves MQTT over WebSocket on this server, or passes it on to the process on the same port that is the broker. */
  mount(server: Server): void {
    const { relayPath } = this.#options
    routeUpgrade(server, webSocketPath, (request, socket, head) => {
      if (this.#term === undefined && relayPath !== undefined) passOn(relayPath, { request, socket, head })
      else this.#acceptWebSocket({ request, socket, head, address: request.socket.remoteAddress })
    })
  }

  /** Undefined while another process is the broker. */
  ports(): Pick<Listeners, 'plainPort' | 'tlsPort'> | undefined {
    return this.#term?.listeners
  }

  /** Authenticated clients; undefined while another process is the broker. */
  get connections(): number | undefined {
    return this.#term?.active.clients.count
  }

  async check(signal: AbortSignal): Promise<void> {
    await this.#options.database.check(signal)
    if (this.#term === undefined && !this.#isStandby) throw new Error('No process is known to be the broker')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#retry)
    await this.#change(() => this.#endTerm())
  }

  /** One change at a time: a term begins only after the previous one has ended. */
  #change(work: () => Promise<void>): Promise<void> {
    this.#changing = this.#changing.catch(() => {}).then(work)
    return this.#changing
  }

  async #beginTerm(authenticator: BrokerAuthenticator): Promise<void> {
    if (this.#stopped || this.#term !== undefined) return
    const term = await beginTerm(this.#options, {
      authenticator,
      onSocket: (socket, address) => {
        if (!this.#receive(socket, address)) socket.destroy()
      },
      onPassedOn: this.#acceptWebSocket,
      onLost: (error) => void this.#lose(error, authenticator),
    })
    if (term === undefined && !this.#isStandby) {
      this.#options.log.info({}, 'another process is the broker; this one is on standby')
    }
    this.#isStandby = term === undefined
    this.#term = term
    if (term === undefined) this.#retryLater(authenticator)
  }

  #retryLater(authenticator: BrokerAuthenticator): void {
    clearTimeout(this.#retry)
    if (this.#stopped) return
    this.#retry = setTimeout(() => {
      this.start(authenticator).catch((error: unknown) => {
        this.#isStandby = false
        this.#options.log.error({ reason: messageOf(error) }, 'this process could not become the broker')
        this.#retryLater(authenticator)
      })
    }, retryMs)
  }

  async #lose(error: unknown, authenticator: BrokerAuthenticator): Promise<void> {
    const { log } = this.#options
    await this.#change(async () => {
      if (this.#term === undefined) return
      log.warn({ reason: messageOf(error) }, 'this process is no longer the broker')
      await this.#endTerm()
    })
    this.#retryLater(authenticator)
  }

  async #endTerm(): Promise<void> {
    const term = this.#term
    this.#term = undefined
    await term?.[Symbol.asyncDispose]()
  }

  #receive(stream: Duplex, address: string | undefined): boolean {
    if (this.#term === undefined || !this.#admit(stream, address)) return false
    this.#term.active.handle(stream)
    return true
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
