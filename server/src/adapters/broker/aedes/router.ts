import { type Delivery, topicAt } from './client-sender.ts'
import { Publication } from './publication.ts'
import type { ArrivedMessage, PositionedMessage, QueueEntry, SessionStore } from './session-store.ts'
import { type Session, type Sessions, wantedQuality } from './sessions.ts'

type Dependencies = {
  readonly store: SessionStore
  readonly sessions: Sessions
  /** The last position that was given to a message. */
  readonly position: number
  readonly queueLimit: number
  readonly onDropped: (session: Session, count: number) => void
  readonly onError: (error: unknown) => void
}

type Wanted = {
  readonly message: ArrivedMessage
  readonly session: Session
  readonly delivery: Omit<Delivery, 'publication'>
}

const batchSize = 200

/** Stores each message in its queues before sending it to connected clients. */
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

  /** Call this when messages have arrived. */
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
      // Messages that arrived during the query have called `wake` themselves.
      this.#arrived ||= messages.length === batchSize
      await this.#routeBatch(messages)
    }
    this.#routing = false
  }

  async #routeBatch(messages: readonly ArrivedMessage[]): Promise<void> {
    const { store, sessions } = this.#deps
    const positioned: PositionedMessage[] = []
    const queued: QueueEntry[] = []
    const unwanted: string[] = []
    const outgoing: Wanted[] = []
    for (const message of messages) {
      this.#position += 1
      const wanted = deliveriesOf(sessions, message, this.#position)
      const entries = wanted.flatMap(({ session: { id }, delivery: { qos, place } }) =>
        id !== undefined && qos === 1 ? [{ sessionId: id, place }] : [],
      )
      if (entries.length === 0) unwanted.push(message.id)
      else positioned.push({ id: message.id, position: this.#position })
      queued.push(...entries)
      outgoing.push(...wanted)
    }
    const payloads = await store.findPayloads([...new Set(outgoing.map(({ message }) => message.id))])
    await store.route({ positioned, queued, unwanted })
    const publications = new Map<number, Publication>()
    for (const { message, session, delivery } of outgoing) {
      const payload = payloads.get(message.id)
      // Only a message that is older than every session is deleted before it is routed.
      if (payload === undefined) continue
      const { place } = delivery
      const publication = publications.get(place) ?? new Publication(topicAt(place, message.topic), payload)
      publications.set(place, publication)
      if (session.id !== undefined && delivery.qos === 1) session.queued += 1
      session.sender?.deliver({ ...delivery, publication })
    }
    for (const { session } of outgoing) await dropExcess(this.#deps, session)
  }
}

const deliveriesOf = (sessions: Sessions, message: ArrivedMessage, position: number): Wanted[] => {
  const { topic } = message
  const owner = topic.split('/', 2).join('/')
  const outgoing: Wanted[] = []
  for (const session of sessions.of(owner)) {
    const { concrete, older } = wantedQuality(session, topic)
    if (concrete !== undefined) {
      outgoing.push({ message, session, delivery: { place: position * 2, qos: concrete } })
    }
    if (older !== undefined) {
      outgoing.push({ message, session, delivery: { place: position * 2 + 1, qos: older } })
    }
  }
  return outgoing
}

/** Drops the oldest messages of a queue that is too long. */
const dropExcess = async (
  { store, queueLimit, onDropped }: Dependencies,
  session: Session,
): Promise<void> => {
  if (session.id === undefined || session.queued <= queueLimit) return
  const dropped = await store.deleteExcess(session.id, queueLimit)
  session.queued = queueLimit
  if (dropped > 0) onDropped(session, dropped)
}
