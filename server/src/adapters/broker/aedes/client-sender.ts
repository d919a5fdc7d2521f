import type { Client } from 'aedes'
import type { BrokerGrant } from '../../../ports/broker/broker.ts'
import { mayHear, withOlderWildcard } from '../../../ports/broker/topic-rights.ts'
import { ClientWriter } from './client-writer.ts'
import { Publication } from './publication.ts'
import type { QueuedMessage } from './session-store.ts'

export type Delivery = { readonly place: number; readonly qos: 0 | 1; readonly publication: Publication }
/** The maximum of unacknowledged messages per client. It limits the memory that a slow client takes. */
const window = { count: 500, bytes: 4 * 1024 * 1024 }
const maxId = 65_535

type Options = {
  readonly client: Client
  readonly grant: BrokerGrant
  /** Outlives the connection. */
  readonly session: { sentUpTo: number }
  /** Undefined for a client whose session ends with its connection. */
  readonly queue:
    | ((after: number, most: { count: number; bytes: number }) => Promise<QueuedMessage[]>)
    | undefined
  /** The client has acknowledged the message, or may not receive it any more. */
  readonly onDone: (place: number) => void
  readonly onError: (error: unknown) => void
}

/**
 * Sends messages to one connected client, in order. A persistent session is served from its queue. As long as the client
 * keeps up, new messages are sent directly, without reading them from the database.
 */
export class ClientSender {
  readonly client: Client
  grant: BrokerGrant
  readonly #options: Options
  readonly #writer: ClientWriter
  /** By the number under which it was sent. */
  readonly #placeOf = new Map<number, number>()
  readonly #unacknowledged = new Map<number, number>()
  #unacknowledgedBytes = 0
  readonly #sentBefore: number
  #lastSent = 0
  #caughtUp: boolean
  #missed = false
  #pulling = false

  constructor(options: Options) {
    this.#options = options
    this.client = options.client
    this.#writer = new ClientWriter(options.client)
    this.grant = options.grant
    this.#sentBefore = options.session.sentUpTo
    this.#caughtUp = options.queue === undefined
  }

  /** Sends a new message, or later from the queue. True if `onDone` will be called because it was sent now. */
  deliver(delivery: Delivery): boolean {
    const { publication, qos, place } = delivery
    const isQueued = qos === 1 && this.#options.queue !== undefined
    if (!isQueued) this.#writer.write(publication, qos === 0 ? undefined : this.#idOf(place))
    else if (this.#caughtUp && this.#isWindowOpen()) {
      this.#sendQueued(delivery)
      return true
    } else {
      this.#caughtUp = false
      this.#missed = true
      this.pull()
    }
    return false
  }

  /** Sends queued messages while the window has room. */
  pull(): void {
    if (this.#pulling || this.#caughtUp || !this.#isWindowOpen()) return
    this.#pulling = true
    this.#pull().catch(this.#options.onError)
  }

  async #pull(): Promise<void> {
    try {
      await this.#pullWhileOpen()
    } finally {
      this.#pulling = false
    }
  }

  async #pullWhileOpen(): Promise<void> {
    const { queue, client, onDone } = this.#options
    if (queue === undefined) return
    while (!client.closed && this.#isWindowOpen()) {
      this.#missed = false
      const most = {
        count: window.count - this.#unacknowledged.size,
        bytes: window.bytes - this.#unacknowledgedBytes,
      }
      const found = await queue(this.#lastSent, most)
      for (const queued of found) {
        if (mayHear(this.grant, queued.topic)) this.#sendQueued(fromQueue(queued))
        else {
          this.#lastSent = queued.place
          onDone(queued.place)
        }
      }
      if (found.length > 0 || this.#missed) continue
      this.#caughtUp = true
      return
    }
  }

  /** `messageId`: the number under which the message was sent to the client. */
  acknowledge(messageId: number): void {
    const place = this.#placeOf.get(messageId)
    if (place === undefined) return
    this.#placeOf.delete(messageId)
    this.#unacknowledgedBytes -= this.#unacknowledged.get(place) ?? 0
    this.#unacknowledged.delete(place)
    this.#options.onDone(place)
    this.pull()
  }

  #isWindowOpen(): boolean {
    return this.#unacknowledged.size < window.count && this.#unacknowledgedBytes < window.bytes
  }

  #sendQueued({ place, publication }: Omit<Delivery, 'qos'>): void {
    const { session } = this.#options
    const id = this.#idOf(place)
    this.#placeOf.set(id, place)
    this.#lastSent = place
    session.sentUpTo = Math.max(session.sentUpTo, place)
    this.#unacknowledged.set(place, publication.payload.length)
    this.#unacknowledgedBytes += publication.payload.length
    this.#writer.write(publication, id, place <= this.#sentBefore)
  }

  /** A message is repeated under its first number (MQTT 3.1.1 §4.4), unless another one has that now. */
  #idOf(place: number): number {
    let id = (place % maxId) + 1
    while (this.#placeOf.has(id)) id = (id % maxId) + 1
    return id
  }
}

const fromQueue = ({ place, topic, payload }: QueuedMessage) => ({
  place,
  publication: new Publication(topicAt(place, topic), payload),
})

/** The topic under which the message at this place is sent. */
export const topicAt = (place: number, topic: string): string =>
  place % 2 === 1 ? withOlderWildcard(topic) : topic
