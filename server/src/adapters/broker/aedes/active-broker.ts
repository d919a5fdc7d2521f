import type { Client } from 'aedes'
import type { Duplex } from 'node:stream'
import type { Logger } from 'pino'
import type { Gatekeeper } from '../../../ports/broker/broker.ts'
import type { Clock } from '../../../ports/clock/clock.ts'
import { createBatch } from './batch.ts'
import { guardStream } from './guarded-stream.ts'
import { createGuestBook } from './guest-book.ts'
import type { Leadership } from './leadership.ts'
import { Outlet } from './outlet.ts'
import { grantAtMostQosOne, openProtocol } from './protocol.ts'
import { createRouter } from './router.ts'
import { createSessionStore, type Waiting } from './session-store.ts'
import { restored, Sessions } from './sessions.ts'

type Options = {
  readonly leadership: Leadership
  readonly gatekeeper: Gatekeeper
  readonly clock: Clock
  readonly log: Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>
  /** It cannot go on. */
  readonly onFailed: (error: unknown) => void
}

export type ActiveBroker = AsyncDisposable & {
  /** Serves this client from now on. */
  handle(stream: Duplex): void
  /** Messages arrived. */
  wake(): void
  /** A record that tokens stand for changed. */
  recheck(record: string): void
  readonly connections: number
}

/** As many as half an hour may bring; more is a client that does not come back. */
const queueLimit = 1_000
const acknowledgeBatch = 500
const sweepMs = 1_000
const forgottenMs = 300_000

/** The broker, in the one process that is it. */
export const openActiveBroker = async (options: Options): Promise<ActiveBroker> => {
  const { leadership, gatekeeper, clock, log } = options
  const store = createSessionStore(leadership.run)
  const sessions = new Sessions()
  const { sessions: stored, position } = await store.load(new Date(clock.now()))
  for (const session of stored) sessions.add(restored(session))
  let closed = false
  const onError = (error: unknown): void => {
    if (!closed) options.onFailed(error)
  }
  const book = createGuestBook({ store, sessions, clock })
  const router = createRouter({
    store,
    sessions,
    position,
    queueLimit,
    onDropped: ({ owner, key }, count) =>
      log.warn({ owner, session: key, count }, 'a queue is full: its oldest messages were dropped'),
    onError,
  })
  const acknowledge = createBatch<Waiting>((items) => store.deleteQueued(items), { size: acknowledgeBatch })
  let acknowledged = Promise.resolve()

  const serve = (client: Client): void => {
    const presence = book.find(client)
    if (presence === undefined) return client.close()
    const { session, guest } = presence
    const { id } = session
    const outlet = new Outlet({
      client,
      guest,
      queue: id === undefined ? undefined : (after, most) => store.findQueued(id, after, most),
      onDone: (place) => {
        if (id === undefined) return
        session.queued = Math.max(0, session.queued - 1)
        acknowledged = acknowledge({ sessionId: id, place })
        acknowledged.catch(onError)
      },
      onError,
    })
    session.outlet = outlet
    if (id !== undefined) store.saveDisconnected(id, undefined).catch(onError)
    outlet.pull()
  }

  const aedes = await openProtocol({ gatekeeper, book, sessions, log, onReady: serve, onError })
  const sweep = setInterval(() => void book.sweep().catch(onError), sweepMs)
  const forget = setInterval(() => void store.deleteForgotten().catch(onError), forgottenMs)
  const streams = new Set<Duplex>()
  router.wake()
  return {
    handle(stream) {
      streams.add(stream)
      stream.once('close', () => streams.delete(stream))
      grantAtMostQosOne(aedes.handle(guardStream(stream)))
    },
    wake: router.wake,
    recheck: (record) => void book.recheck(record).catch(onError),
    get connections() {
      return aedes.connectedClients
    },
    async [Symbol.asyncDispose]() {
      closed = true
      clearInterval(sweep)
      clearInterval(forget)
      router.stop()
      await new Promise<void>((done) => aedes.close(done))
      for (const stream of streams) stream.destroy()
      for (const presence of book.all()) book.leave(presence).catch(onError)
      await acknowledged.catch(onError)
      // The connection answers in order: what was written before is written then.
      await store.saveAllDisconnected(new Date(clock.now())).catch(onError)
    },
  }
}
