import { type Delivery, topicAt } from './client-sender.ts'
import { Publication } from './publication.ts'
import { Outstanding } from './outstanding.ts'
import type { ArrivedMessage, QueueEntry, SessionStore } from './session-store.ts'
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

/** Sends messages to connected clients, and puts into queues what they have not acknowledged, or are not there for. */
export class Router {
  readonly #deps: Dependencies
  readonly #outstanding: Outstanding
  #position: number
  #routing = false
  #arrived = false
  #stopped = false

  constructor(deps: Dependencies) {
    this.#deps = deps
    this.#position = deps.position
    const onQueued = (sessions: ReadonlySet<Session>): Promise<void> => dropExcess(deps, sessions)
    this.#outstanding = new Outstanding({ ...deps, onQueued, onRoom: () => this.wake() })
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

  /** False if the message is in the queue of the session. */
  acknowledge(entry: QueueEntry): boolean {
    return this.#outstanding.acknowledge(entry)
  }

  /** Resolves when every message that was routed is in its queues. */
  async settle(): Promise<void> {
    // What is being sent in this turn may still count as sent.
    await Promise.resolve()
    await this.#outstanding.settle()
  }

  stop(): void {
    this.#stopped = true
  }

  async #route(): Promise<void> {
    while (this.#arrived && !this.#stopped) {
      this.#arrived = false
      const { ids, busyOwners } = this.#outstanding
      const messages = await this.#deps.store.findArrived(batchSize, { ids, owners: busyOwners })
      if (messages.length === 0 || this.#stopped) continue
      // Messages that arrived during the query have called `wake` themselves.
      this.#arrived ||= messages.length === batchSize
      await this.#routeBatch(messages)
    }
    this.#routing = false
  }

  async #routeBatch(messages: readonly ArrivedMessage[]): Promise<void> {
    const { store, sessions } = this.#deps
    const outgoing: Wanted[] = []
    const first = this.#position + 1
    for (const message of messages) {
      this.#position += 1
      const wanted = deliveriesOf(sessions, message, this.#position)
      const copies = wanted.flatMap(({ session, delivery: { qos, place } }) =>
        session.id !== undefined && qos === 1 ? [{ session, entry: { sessionId: session.id, place } }] : [],
      )
      const owner = ownerIn(message.topic)
      this.#outstanding.add({ id: message.id, position: this.#position, owner, copies })
      outgoing.push(...wanted)
    }
    const payloads = await store.findPayloads([...new Set(outgoing.map(({ message }) => message.id))])
    this.#deliver(outgoing, payloads)
    for (let position = first; position < first + messages.length; position += 1)
      this.#outstanding.release(position)
  }

  #deliver(outgoing: readonly Wanted[], payloads: ReadonlyMap<string, Uint8Array>): void {
    const publications = new Map<number, Publication>()
    for (const { message, session, delivery } of outgoing) {
      const payload = payloads.get(message.id)
      // Only a message that is older than every session is deleted before it is routed.
      if (payload === undefined) continue
      const { place, qos } = delivery
      const publication = publications.get(place) ?? new Publication(topicAt(place, message.topic), payload)
      publications.set(place, publication)
      if (session.id !== undefined && qos === 1) session.queued += 1
      const isInFlight = session.sender?.deliver({ ...delivery, publication }) === true
      if (isInFlight && session.id !== undefined)
        this.#outstanding.sent({ session, entry: { sessionId: session.id, place } })
    }
  }
}

const ownerIn = (topic: string): string => topic.split('/', 2).join('/')

const deliveriesOf = (sessions: Sessions, message: ArrivedMessage, position: number): Wanted[] => {
  const { topic } = message
  const outgoing: Wanted[] = []
  for (const session of sessions.of(ownerIn(topic))) {
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

/** Drops the oldest messages of queues that are too long. */
const dropExcess = async (
  { store, queueLimit, onDropped }: Dependencies,
  sessions: ReadonlySet<Session>,
): Promise<void> => {
  for (const session of sessions) {
    if (session.id === undefined || session.queued <= queueLimit) continue
    const dropped = await store.deleteExcess(session.id, queueLimit)
    session.queued = queueLimit
    if (dropped > 0) onDropped(session, dropped)
  }
}
