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
export const createRouter = (deps: Dependencies) => {
  let { position } = deps
  let routing = false
  let stopped = false
  let again = false

  const route = async (): Promise<void> => {
    while (!stopped) {
      again = false
      const arrived = await deps.store.findArrived(batchSize)
      if (arrived.length > 0) await routeBatch(arrived)
      else if (!again) return
    }
  }

  const routeBatch = async (arrived: readonly Arrived[]): Promise<void> => {
    const placed: Placed[] = []
    const waiting: Waiting[] = []
    const unwanted: string[] = []
    const outgoing: Outgoing[] = []
    for (const message of arrived) {
      position += 1
      const wanted = deliveriesOf(deps.sessions, message, position)
      const queued = wanted.flatMap(({ session: { id }, delivery: { qos, place } }) =>
        id !== undefined && qos === 1 ? [{ sessionId: id, place }] : [],
      )
      if (queued.length === 0) unwanted.push(message.id)
      else placed.push({ id: message.id, position })
      waiting.push(...queued)
      outgoing.push(...wanted)
    }
    await deps.store.route({ placed, waiting, unwanted })
    for (const { session, delivery } of outgoing) {
      if (session.id !== undefined && delivery.qos === 1) session.queued += 1
      session.outlet?.deliver(delivery)
    }
    for (const { session } of outgoing) await shorten(deps, session)
  }

  const wake = (): void => {
    again = true
    if (routing || stopped) return
    routing = true
    route()
      .catch((error: unknown) => {
        stopped = true
        deps.onError(error)
      })
      .finally(() => {
        routing = false
        if (again) wake()
      })
  }

  return {
    /** Something arrived. */
    wake,
    stop(): void {
      stopped = true
    },
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
