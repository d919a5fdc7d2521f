import type { Client } from 'aedes'
import type { BrokerGrant } from '../../../ports/broker/broker.ts'
import { mayHear, withOlderWildcard } from '../../../ports/broker/topic-rights.ts'
import type { QueuedMessage } from './session-store.ts'

export type Delivery = QueuedMessage & { readonly qos: 0 | 1 }
type ReadQueue = (after: number, most: { count: number; bytes: number }) => Promise<QueuedMessage[]>

/** The maximum of unacknowledged messages per client. It limits the memory that a slow client takes. */
const window = { count: 100, bytes: 4 * 1024 * 1024 }
/** A client without a queue that is further behind is disconnected. */
const maxUnwritten = 1_000

type Options = {
  readonly client: Client
  readonly grant: BrokerGrant
  /** Undefined for a client whose session ends with its connection. */
  readonly queue: ReadQueue | undefined
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
  readonly #placeOf = new Map<number, number>()
  readonly #unacknowledged = new Map<number, number>()
  #unacknowledgedBytes = 0
  #unwritten = 0
  #lastSent = 0
  #caughtUp: boolean
  #missed = false
  #pulling = false

  constructor(options: Options) {
    this.#options = options
    this.client = options.client
    this.grant = options.grant
    this.#caughtUp = options.queue === undefined
  }

  /** A new message. With QoS 1 and a persistent session it is already in the queue. */
  deliver(delivery: Delivery): void {
    if (delivery.qos === 0 || this.#options.queue === undefined) this.#send(delivery)
    else if (this.#caughtUp && this.#isWindowOpen()) this.#sendQueued(delivery)
    else {
      this.#caughtUp = false
      this.#missed = true
      this.pull()
    }
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
        if (mayHear(this.grant, queued.topic)) this.#sendQueued(queued)
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

  numbered(messageId: number, place: number): void {
    this.#placeOf.set(messageId, place)
  }

  #isWindowOpen(): boolean {
    return this.#unacknowledged.size < window.count && this.#unacknowledgedBytes < window.bytes
  }

  #sendQueued(queued: QueuedMessage): void {
    this.#lastSent = queued.place
    this.#unacknowledged.set(queued.place, queued.payload.length)
    this.#unacknowledgedBytes += queued.payload.length
    this.#send({ ...queued, qos: 1 })
  }

  #send({ place, topic, payload, qos }: Delivery): void {
    if (this.#unwritten >= maxUnwritten) {
      this.client.close()
      return
    }
    this.#unwritten += 1
    const message = {
      cmd: 'publish' as const,
      topic: isOlder(place) ? withOlderWildcard(topic) : topic,
      payload: Buffer.from(payload.buffer, payload.byteOffset, payload.length),
      qos,
      retain: false,
      dup: false,
      brokerCounter: place,
      // aedes drops messages that are not newer than the last one of the same `brokerId`.
      brokerId: qos === 1 ? 'queued' : 'live',
    }
    this.client.publish(message, () => {
      this.#unwritten -= 1
    })
  }
}

const isOlder = (place: number): boolean => place % 2 === 1
