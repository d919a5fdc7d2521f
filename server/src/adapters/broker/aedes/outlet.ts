import type { Client } from 'aedes'
import type { BrokerGuest } from '../../../ports/broker/broker.ts'
import { mayHear, withOlderWildcard } from '../../../ports/broker/topic-rights.ts'
import type { Queued } from './session-store.ts'

export type Delivery = Queued & { readonly qos: 0 | 1 }
export type QueuedSource = (after: number, most: { count: number; bytes: number }) => Promise<Queued[]>

/** What may be under way to one client: a slow one holds this much of our memory and no more. */
const window = { count: 100, bytes: 4 * 1024 * 1024 }
/** A client without a queue that is this far behind is told so by the end of its connection. */
const maxUnwritten = 1_000

type Options = {
  readonly client: Client
  readonly guest: BrokerGuest
  /** Its queue; none for a client that is forgotten with its connection. */
  readonly queue: QueuedSource | undefined
  /** The client has it, or is not to have it. */
  readonly onDone: (place: number) => void
  readonly onError: (error: unknown) => void
}

/**
 * Hands one connected client its messages, in order. A persistent session is served from its queue; as long as the
 * client keeps up, new messages take the short way past the database.
 */
export class Outlet {
  readonly client: Client
  guest: BrokerGuest
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
    this.guest = options.guest
    this.#caughtUp = options.queue === undefined
  }

  /** A new message; what was wanted with QoS 1 by a persistent session is in its queue already. */
  deliver(delivery: Delivery): void {
    if (delivery.qos === 0 || this.#options.queue === undefined) this.#send(delivery)
    else if (this.#caughtUp && this.#hasRoom()) this.#sendQueued(delivery)
    else {
      this.#caughtUp = false
      this.#missed = true
      this.pull()
    }
  }

  /** Sends what waits in the queue, as far as there is room. */
  pull(): void {
    if (this.#pulling || this.#caughtUp || !this.#hasRoom()) return
    this.#pulling = true
    this.#pull().catch(this.#options.onError)
  }

  async #pull(): Promise<void> {
    try {
      await this.#pullWhileRoom()
    } finally {
      this.#pulling = false
    }
  }

  async #pullWhileRoom(): Promise<void> {
    const { queue, client, onDone } = this.#options
    if (queue === undefined) return
    while (!client.closed && this.#hasRoom()) {
      this.#missed = false
      const most = {
        count: window.count - this.#unacknowledged.size,
        bytes: window.bytes - this.#unacknowledgedBytes,
      }
      const found = await queue(this.#lastSent, most)
      for (const queued of found) {
        if (mayHear(this.guest, queued.topic)) this.#sendQueued(queued)
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

  /** By the number under which the client was sent it. */
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

  #hasRoom(): boolean {
    return this.#unacknowledged.size < window.count && this.#unacknowledgedBytes < window.bytes
  }

  #sendQueued(queued: Queued): void {
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
      payload,
      qos,
      retain: false,
      dup: false,
      brokerCounter: place,
      // aedes drops what is not newer than the last of its line; what skips the queue is a line of its own.
      brokerId: qos === 1 ? 'queued' : 'live',
    }
    this.client.publish(message, () => {
      this.#unwritten -= 1
    })
  }
}

const isOlder = (place: number): boolean => place % 2 === 1
