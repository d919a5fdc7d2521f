import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Logger } from 'pino'
import type { Broker, BrokerMessage, BrokerPublisher, Gatekeeper } from '../../../ports/broker/broker.ts'
import type { Clock } from '../../../ports/clock/clock.ts'
import type { Database } from '../../../ports/database/database.ts'
import { type ConnectionLimits, createTurnstile } from './connection-limits.ts'
import { createHandover } from './handover.ts'
import type { Doors } from './listeners.ts'
import { beginTerm, type Term } from './term.ts'
import { serveWebSocket } from './web-socket.ts'

export type AedesBrokerOptions = {
  readonly database: Database
  readonly clock: Clock
  readonly log: Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>
  readonly doors: Doors
  readonly limits: ConnectionLimits
  /** A reverse proxy is in front of WebSockets: then their address is that of the proxy, and says nothing. */
  readonly behindProxy?: boolean
}

const retryMs = 1_000

export const createAedesBroker = (options: AedesBrokerOptions): AedesBroker => new AedesBroker(options)

/**
 * aedes within this process, its sessions and queues in the database. Of several processes on one database one is the
 * broker; the others publish through it, and wait to take its place.
 */
export class AedesBroker implements Broker {
  readonly #options: AedesBrokerOptions
  readonly #handover: BrokerPublisher
  readonly #enter: (stream: Duplex, address: string | undefined) => boolean
  #term: Term | undefined
  #retry: NodeJS.Timeout | undefined
  #isStandby = false
  #stopped = false
  #changing: Promise<void> = Promise.resolve()

  constructor(options: AedesBrokerOptions) {
    this.#options = options
    this.#handover = createHandover(options)
    this.#enter = createTurnstile(options.limits)
  }

  publish(message: BrokerMessage, signal?: AbortSignal): Promise<void> {
    return this.#handover.publish(message, signal)
  }

  start(gatekeeper: Gatekeeper): Promise<void> {
    return this.#change(() => this.#campaign(gatekeeper))
  }

  /** Serves MQTT over WebSocket on this server, while this process is the broker. */
  mount(server: Pick<Server, 'on'>): void {
    const addressOf = ({ socket }: IncomingMessage): string | undefined =>
      this.#options.behindProxy === true ? undefined : socket.remoteAddress
    serveWebSocket(server, (stream, request) => this.#receive(stream, addressOf(request)))
  }

  /** Where it listens; nothing where it does not, or another process is the broker. */
  ports(): Pick<Term['doors'], 'plainPort' | 'tlsPort'> | undefined {
    return this.#term?.doors
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

  /** One change at a time: a term begins only after the one before has ended. */
  #change(work: () => Promise<void>): Promise<void> {
    this.#changing = this.#changing.catch(() => {}).then(work)
    return this.#changing
  }

  async #campaign(gatekeeper: Gatekeeper): Promise<void> {
    if (this.#stopped || this.#term !== undefined) return
    const term = await beginTerm(this.#options, {
      gatekeeper,
      onSocket: (socket, address) => {
        if (!this.#receive(socket, address)) socket.destroy()
      },
      onLost: (error) => void this.#lose(error, gatekeeper),
    })
    if (term === undefined && !this.#isStandby) {
      this.#options.log.info({}, 'another process is the broker; this one stands by')
    }
    this.#isStandby = term === undefined
    this.#term = term
    if (term === undefined) this.#campaignLater(gatekeeper)
  }

  #campaignLater(gatekeeper: Gatekeeper): void {
    clearTimeout(this.#retry)
    if (this.#stopped) return
    this.#retry = setTimeout(() => {
      this.start(gatekeeper).catch((error: unknown) => {
        this.#isStandby = false
        this.#options.log.error({ reason: messageOf(error) }, 'this process could not become the broker')
        this.#campaignLater(gatekeeper)
      })
    }, retryMs)
  }

  async #lose(error: unknown, gatekeeper: Gatekeeper): Promise<void> {
    const { log } = this.#options
    await this.#change(async () => {
      if (this.#term === undefined) return
      log.warn({ reason: messageOf(error) }, 'this process is no longer the broker')
      await this.#endTerm()
    })
    this.#campaignLater(gatekeeper)
  }

  async #endTerm(): Promise<void> {
    const term = this.#term
    this.#term = undefined
    await term?.[Symbol.asyncDispose]()
  }

  #receive(stream: Duplex, address: string | undefined): boolean {
    if (this.#term === undefined || !this.#enter(stream, address)) return false
    this.#term.active.handle(stream)
    return true
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
