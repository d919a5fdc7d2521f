import type { Aedes, Client } from 'aedes'
import type { Duplex } from 'node:stream'
import type { Logger } from 'pino'
import type { Gatekeeper } from '../../../ports/broker/broker.ts'
import type { Clock } from '../../../ports/clock/clock.ts'
import { guardStream } from './guarded-stream.ts'
import { GuestBook } from './guest-book.ts'
import type { Leadership } from './leadership.ts'
import { Outlet } from './outlet.ts'
import { grantAtMostQosOne, openProtocol } from './protocol.ts'
import { Router } from './router.ts'
import { SessionStore } from './session-store.ts'
import { restored, Sessions } from './sessions.ts'

type Options = {
  readonly leadership: Leadership
  readonly gatekeeper: Gatekeeper
  readonly clock: Clock
  readonly log: Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>
  /** It cannot go on. */
  readonly onFailed: (error: unknown) => void
}

/** As many as half an hour may bring; more is a client that does not come back. */
const queueLimit = 1_000
const sweepMs = 1_000
const forgottenMs = 300_000

/** The broker, in the one process that is it. */
export const openActiveBroker = async (options: Options): Promise<ActiveBroker> => {
  const { leadership, clock, gatekeeper, log } = options
  const store = new SessionStore(leadership.run)
  const { sessions: stored, position } = await store.load(new Date(clock.now()))
  const sessions = new Sessions()
  for (const session of stored) sessions.add(restored(session))
  const broker = new ActiveBroker({ ...options, store, sessions, position })
  const { book, onError } = broker
  const onReady = (client: Client): void => broker.serve(client)
  return broker.begin(await openProtocol({ gatekeeper, book, sessions, log, onReady, onError }))
}

type Parts = Options & {
  readonly store: SessionStore
  readonly sessions: Sessions
  /** Of the last message that has one. */
  readonly position: number
}

export class ActiveBroker implements AsyncDisposable {
  readonly book: GuestBook
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
    this.book = new GuestBook(parts)
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
      setInterval(() => void this.book.sweep().catch(this.onError), sweepMs),
      setInterval(() => void store.deleteForgotten().catch(this.onError), forgottenMs),
    )
    this.wake()
    return this
  }

  /** Whoever speaks through this stream is a client from now on. */
  handle(stream: Duplex): void {
    if (this.#aedes === undefined || this.#closed) return void stream.destroy()
    this.#streams.add(stream)
    stream.once('close', () => this.#streams.delete(stream))
    grantAtMostQosOne(this.#aedes.handle(guardStream(stream)))
  }

  /** Messages arrived. */
  wake(): void {
    this.#router.wake()
  }

  /** A record that tokens stand for changed. */
  recheck(record: string): void {
    this.book.recheck(record).catch(this.onError)
  }

  /** The client was told that it is let in. */
  serve(client: Client): void {
    const presence = this.book.find(client)
    if (presence === undefined) return client.close()
    const { store } = this.#parts
    const { session, guest } = presence
    const { id } = session
    session.outlet = new Outlet({
      client,
      guest,
      queue: id === undefined ? undefined : (after, most) => store.findQueued(id, after, most),
      onDone: (place) => {
        if (id === undefined) return
        session.queued = Math.max(0, session.queued - 1)
        this.#acknowledged = store.acknowledge({ sessionId: id, place })
        this.#acknowledged.catch(this.onError)
      },
      onError: this.onError,
    })
    session.outlet.pull()
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
    for (const presence of this.book.all()) this.book.leave(presence).catch(this.onError)
    await this.#acknowledged.catch(this.onError)
    // The connection answers in order: what was written before is written then.
    await store.saveAllDisconnected(new Date(clock.now())).catch(this.onError)
  }
}
