import type { Delivery } from './outlet.ts'
import type { Arrived, Placed, SessionStore, Waiting } from './session-store.ts'
import { type Session, type Sessions, wishOf } from './sessions.ts'

type Dependencies = {
  readonly store: SessionStore
  readonly sessions: Sessions
  /** Of the last message that has one. */
  readonly position: number
  readonly queueLimit: number
  readonly onDropped: (session: Session, count: number) => void
  readonly onError: (error: unknown) => void
}

type Outgoing = { readonly session: Session; readonly delivery: Delivery }

const batchSize = 200

/** Gives each message its position and its places in queues, durably, and only then to those who are connected. */
export class Router {
  readonly #deps: Dependencies
  #position: number
  #routing = false
  #arrived = false
  #stopped = false

  constructor(deps: Dependencies) {
    this.#deps = deps
    this.#position = deps.position
  }

  /** Something arrived. */
  wake(): void {
    this.#arrived = true
    if (this.#routing || this.#stopped) return
    this.#routing = true
    this.#route().catch((error: unknown) => {
      this.#stopped = true
      this.#deps.onError(error)
    })
  }

  stop(): void {
    this.#stopped = true
  }

  async #route(): Promise<void> {
    while (this.#arrived && !this.#stopped) {
      this.#arrived = false
      const messages = await this.#deps.store.findArrived(batchSize)
      if (messages.length === 0) continue
      // What came meanwhile says so itself.
      this.#arrived ||= messages.length === batchSize
      await this.#routeBatch(messages)
    }
    this.#routing = false
  }

  async #routeBatch(messages: readonly Arrived[]): Promise<void> {
    const { store, sessions } = this.#deps
    const placed: Placed[] = []
    const waiting: Waiting[] = []
    const unwanted: string[] = []
    const outgoing: Outgoing[] = []
    for (const message of messages) {
      this.#position += 1
      const wanted = deliveriesOf(sessions, message, this.#position)
      const queued = wanted.flatMap(({ session: { id }, delivery: { qos, place } }) =>
        id !== undefined && qos === 1 ? [{ sessionId: id, place }] : [],
      )
      if (queued.length === 0) unwanted.push(message.id)
      else placed.push({ id: message.id, position: this.#position })
      waiting.push(...queued)
      outgoing.push(...wanted)
    }
    await store.route({ placed, waiting, unwanted })
    for (const { session, delivery } of outgoing) {
      if (session.id !== undefined && delivery.qos === 1) session.queued += 1
      session.outlet?.deliver(delivery)
    }
    for (const { session } of outgoing) await shorten(this.#deps, session)
  }
}

const deliveriesOf = (sessions: Sessions, message: Arrived, position: number): Outgoing[] => {
  const { topic, payload } = message
  const owner = topic.split('/', 2).join('/')
  const outgoing: Outgoing[] = []
  for (const session of sessions.of(owner)) {
    const { concrete, older } = wishOf(session, topic)
    if (concrete !== undefined) {
      outgoing.push({ session, delivery: { place: position * 2, topic, payload, qos: concrete } })
    }
    if (older !== undefined) {
      outgoing.push({ session, delivery: { place: position * 2 + 1, topic, payload, qos: older } })
    }
  }
  return outgoing
}

/** The oldest give way, as in every queue that has an end. */
const shorten = async ({ store, queueLimit, onDropped }: Dependencies, session: Session): Promise<void> => {
  if (session.id === undefined || session.queued <= queueLimit) return
  const dropped = await store.deleteExcess(session.id, queueLimit)
  session.queued = queueLimit
  if (dropped > 0) onDropped(session, dropped)
}
