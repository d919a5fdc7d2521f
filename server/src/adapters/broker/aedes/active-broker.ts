import type { Aedes, Client } from 'aedes'
import type { Duplex } from 'node:stream'
import type { Logger } from 'pino'
import type { BrokerAuthenticator } from '../../../ports/broker/broker.ts'
import type { Clock } from '../../../ports/clock/clock.ts'
import type { Query } from '../../../ports/database/database.ts'
import { guardStream } from './guarded-stream.ts'
import { ClientSender } from './client-sender.ts'
import { ConnectedClients } from './connected-clients.ts'
import { endIfSilent } from './end-if-silent.ts'
import { grantAtMostQosOne, openProtocol } from './protocol.ts'
import { Router } from './router.ts'
import { type QueuedMessage, SessionStore } from './session-store.ts'
import { restored, Sessions } from './sessions.ts'

type Options = {
  /** On the connection that holds the lock. */
  readonly query: Query
  readonly authenticator: BrokerAuthenticator
  readonly clock: Clock
  readonly log: Logger
  /** The broker cannot continue. */
  readonly onFailed: (error: unknown) => void
}

/** Enough for half an hour. With more, the client will probably not come back. */
const queueLimit = 1_000
const expireEveryMs = 1_000
const cleanUpEveryMs = 300_000

/** The broker, in the process that holds the lock. */
export const openActiveBroker = async (options: Options): Promise<ActiveBroker> => {
  const { query, clock, authenticator, log } = options
  const store = new SessionStore(query)
  const nowMs = clock.now()
  const { sessions: stored, position } = await store.load(new Date(nowMs))
  const sessions = new Sessions()
  sessions.restore(stored.map((session) => restored(session, nowMs)))
  const broker = new ActiveBroker({ ...options, store, sessions, position })
  const { clients, onError } = broker
  const onReady = (client: Client): void => broker.serve(client)
  return broker.begin(await openProtocol({ authenticator, clients, sessions, log, onReady, onError }))
}

type Parts = Options & {
  readonly store: SessionStore
  readonly sessions: Sessions
  /** The last position that was given to a message. */
  readonly position: number
}

export class ActiveBroker implements AsyncDisposable {
  readonly clients: ConnectedClients
  readonly #parts: Parts
  readonly #router: Router
  readonly #streams = new Set<Duplex>()
  readonly #timers: NodeJS.Timeout[] = []
  #acknowledged: Promise<unknown> = Promise.resolve()
  #aedes: Aedes | undefined
  #closed = false

  constructor(parts: Parts) {
    const { log } = parts
    this.#parts = parts
    this.clients = new ConnectedClients(parts)
    this.#router = new Router({
      ...parts,
      queueLimit,
      onDropped: ({ key }, count) =>
        log.warn({ session: key, count }, 'a queue is full: its oldest messages were dropped'),
      onError: this.onError,
    })
  }

  readonly onError = (error: unknown): void => {
    if (!this.#closed) this.#parts.onFailed(error)
  }

  begin(aedes: Aedes): this {
    const { store } = this.#parts
    this.#aedes = aedes
    this.#timers.push(
      setInterval(() => void this.clients.expire().catch(this.onError), expireEveryMs),
      setInterval(() => void store.deleteUnqueued().catch(this.onError), cleanUpEveryMs),
    )
    this.wake()
    return this
  }

  /** Serves MQTT on this stream. */
  handle(stream: Duplex): void {
    if (this.#aedes === undefined || this.#closed) return void stream.destroy()
    this.#streams.add(stream)
    stream.once('close', () => this.#streams.delete(stream))
    const client = this.#aedes.handle(guardStream(stream))
    grantAtMostQosOne(client)
    endIfSilent(client)
  }

  /** Call this when messages have arrived. */
  wake(): void {
    this.#router.wake()
  }

  /** Call this when a record that tokens belong to has changed. */
  recheck(record: string): void {
    this.clients.recheck(record).catch(this.onError)
  }

  /** Starts delivery to a client that has received its CONNACK. */
  serve(client: Client): void {
    const connection = this.clients.find(client)
    if (connection === undefined) return client.close()
    const { store } = this.#parts
    const { session, grant } = connection
    const { id } = session
    session.sender = new ClientSender({
      client,
      grant,
      session,
      queue: id === undefined ? undefined : (after, most) => this.#findQueued(id, after, most),
      onDone: (place) => {
        if (id === undefined) return
        session.queued = Math.max(0, session.queued - 1)
        const entry = { sessionId: id, place }
        if (this.#router.acknowledge(entry)) return
        this.#acknowledged = store.acknowledge(entry)
        this.#acknowledged.catch(this.onError)
      },
      onError: this.onError,
    })
    session.sender.pull()
  }

  async #findQueued(...asked: Parameters<SessionStore['findQueued']>): Promise<QueuedMessage[]> {
    await this.#router.settle()
    return this.#parts.store.findQueued(...asked)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { store, clock } = this.#parts
    this.#closed = true
    for (const timer of this.#timers) clearInterval(timer)
    this.#router.stop()
    await new Promise<void>((done) => {
      if (this.#aedes === undefined) done()
      else this.#aedes.close(done)
    })
    for (const stream of this.#streams) stream.destroy()
    for (const connection of this.clients.all()) this.clients.disconnect(connection).catch(this.onError)
    await this.#router.settle().catch(this.onError)
    await this.#acknowledged.catch(this.onError)
    // The connection runs statements in order, so earlier writes are finished as well.
    await store.saveAllDisconnected(new Date(clock.now())).catch(this.onError)
  }
}
