import { positionOf, type QueueEntry, type SessionStore } from './session-store.ts'
import type { Session } from './sessions.ts'

/** A copy of a message for a session that survives its connection. */
export type Copy = { readonly session: Session; readonly entry: QueueEntry }

type NewMessage = {
  readonly id: string
  readonly position: number
  /** Whose readers get it. */
  readonly owner: string
  readonly copies: readonly Copy[]
}
type Message = Omit<NewMessage, 'copies'> & {
  readonly sinceMs: number
  /** Not sent. By session and place, as those in flight. */
  readonly unsent: Map<number, Copy>
  /** Sent and not acknowledged. */
  readonly inFlight: Map<number, Copy>
  isHeld: boolean
}

type IsOver = (message: Message) => boolean

type Limits = {
  /** What a client has not acknowledged after this time goes into its queue. */
  readonly patienceMs: number
  /** With more messages, all go into queues: each look for new ones names those that are in none. */
  readonly most: number
  /** In one statement, so that others of the same connection come between. A single message may have more. */
  readonly mostCopies: number
}

type Dependencies = {
  readonly store: SessionStore
  readonly onQueued: (sessions: ReadonlySet<Session>) => Promise<void>
  /** The readers of an owner have acknowledged so much that they can get more. */
  readonly onRoom: () => void
  readonly onError: (error: unknown) => void
}

const usual: Limits = { patienceMs: 1_000, most: 2_000, mostCopies: 20_000 }
const lookEveryMs = 100
/** Before the readers of an owner get the next batch. With it, less than one client may have in flight. */
const mostInFlight = 100

/**
 * Messages that were routed and are not in queues yet. Most are acknowledged by all who want them before a queue is worth it.
 * In the database they are not routed: if this process dies, the next broker routes them again, in their order.
 */
export class Outstanding {
  readonly #deps: Dependencies
  readonly #limits: Limits
  /** By position, oldest first. */
  readonly #messages = new Map<number, Message>()
  #newest = 0
  /** Nobody waits for them any more. */
  #finished: string[] = []
  /** Of all messages that the database has as not routed. */
  readonly #ids = new Set<string>()
  /** By owner, how many messages have copies in flight. */
  readonly #busy = new Map<string, number>()
  #timer: NodeJS.Timeout | undefined
  #isSettling = false
  #writing: Promise<void> | undefined

  constructor(deps: Dependencies, limits: Limits = usual) {
    this.#deps = deps
    this.#limits = limits
  }

  get ids(): readonly string[] {
    return [...this.#ids]
  }

  /** Owners whose readers have enough in flight. */
  get busyOwners(): readonly string[] {
    return [...this.#busy].flatMap(([owner, count]) => (count > mostInFlight ? [owner] : []))
  }

  /** Held back from queues until `release`. */
  add({ copies, ...message }: NewMessage): void {
    this.#ids.add(message.id)
    this.#newest = message.position
    const unsent = new Map(copies.map((copy) => [keyOf(copy.entry), copy]))
    const sinceMs = performance.now()
    this.#messages.set(message.position, { ...message, sinceMs, unsent, inFlight: new Map(), isHeld: true })
    this.#timer ??= setInterval(
      () => void this.#settle(this.#isLate).catch(this.#deps.onError),
      lookEveryMs,
    ).unref()
  }

  sent(copy: Copy): void {
    const message = this.#messages.get(positionOf(copy.entry.place))
    if (message === undefined) return
    const key = keyOf(copy.entry)
    message.unsent.delete(key)
    message.inFlight.set(key, copy)
  }

  release(position: number): void {
    const message = this.#messages.get(position)
    if (message === undefined) return
    message.isHeld = false
    if (message.inFlight.size === 0) this.#land(message)
    else this.#busy.set(message.owner, (this.#busy.get(message.owner) ?? 0) + 1)
    if (this.#messages.size > this.#limits.most) this.#settle(this.#upToNow()).catch(this.#deps.onError)
  }

  /** False if the message is in the queue of the session. */
  acknowledge(entry: QueueEntry): boolean {
    const message = this.#messages.get(positionOf(entry.place))
    if (message?.inFlight.delete(keyOf(entry)) !== true) return false
    if (message.inFlight.size > 0 || message.isHeld) return true
    this.#leave(message)
    this.#land(message)
    return true
  }

  /** Puts into queues what is not acknowledged. Resolves when that is written. */
  async settle(): Promise<void> {
    const isOver = this.#upToNow()
    for (;;) {
      // The error of a write goes to those who began it.
      if (this.#writing !== undefined) await this.#writing.catch(() => {})
      else if (this.#isSettled(isOver)) return
      else await this.#settle(isOver)
    }
  }

  #isSettled(isOver: IsOver): boolean {
    const [oldest] = this.#messages.values()
    return this.#finished.length === 0 && (oldest === undefined || !isOver(oldest))
  }

  #upToNow(): IsOver {
    const newest = this.#newest
    return ({ position }) => position <= newest
  }

  /** One write at a time: what is not written stays here, where it counts and may still be acknowledged. */
  #settle(isOver: IsOver): Promise<void> {
    this.#writing ??= this.#writeAll(isOver).finally(() => (this.#writing = undefined))
    return this.#writing
  }

  async #writeAll(isOver: IsOver): Promise<void> {
    for (;;) {
      const taken = this.#take(isOver)
      const finished = this.#finished
      this.#finished = []
      if (taken.length === 0 && finished.length === 0) return
      await this.#write(taken, finished)
    }
  }

  /** In the order of positions, so that what is routed again comes after what is in queues. */
  #take(isOver: IsOver): readonly Message[] {
    const taken: Message[] = []
    let copies = 0
    for (const message of this.#messages.values()) {
      copies += message.unsent.size + message.inFlight.size
      if (!isOver(message) || (copies > this.#limits.mostCopies && taken.length > 0)) break
      taken.push(message)
    }
    for (const { position } of taken) this.#messages.delete(position)
    if (this.#messages.size === 0) {
      clearInterval(this.#timer)
      this.#timer = undefined
    }
    return taken
  }

  async #write(taken: readonly Message[], finished: readonly string[]): Promise<void> {
    const copies = taken.flatMap(({ unsent, inFlight }) => [...unsent.values(), ...inFlight.values()])
    await this.#deps.store.route({
      positioned: taken.map(({ id, position }) => ({ id, position })),
      queued: copies.map(({ entry }) => entry),
      unwanted: finished,
    })
    for (const id of [...taken.map((message) => message.id), ...finished]) this.#ids.delete(id)
    for (const message of taken) if (message.inFlight.size > 0 && !message.isHeld) this.#leave(message)
    await this.#deps.onQueued(new Set(copies.map(({ session }) => session)))
  }

  readonly #isLate = (message: Message): boolean =>
    hasLanded(message) || performance.now() - message.sinceMs >= this.#limits.patienceMs

  /** Nothing of it is in flight. */
  #land({ id, position, unsent }: Message): void {
    if (unsent.size === 0) {
      this.#messages.delete(position)
      this.#finished.push(id)
    }
    if (this.#isSettling) return
    this.#isSettling = true
    // Together what ends in one turn of the event loop.
    setImmediate(() => {
      this.#isSettling = false
      this.#settle(hasLanded).catch(this.#deps.onError)
    })
  }

  #leave({ owner }: Message): void {
    const count = (this.#busy.get(owner) ?? 1) - 1
    if (count > 0) this.#busy.set(owner, count)
    else this.#busy.delete(owner)
    if (count === mostInFlight) this.#deps.onRoom()
  }
}

const hasLanded = ({ inFlight, isHeld }: Message): boolean => inFlight.size === 0 && !isHeld

/** Within a message. */
const keyOf = ({ sessionId, place }: QueueEntry): number => sessionId * 2 + (place % 2)
