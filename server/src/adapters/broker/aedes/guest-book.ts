import type { Client } from 'aedes'
import { limits } from '@millseal/contract'
import type { BrokerGuest } from '../../../ports/broker/broker.ts'
import { maySubscribe } from '../../../ports/broker/topic-rights.ts'
import type { Clock } from '../../../ports/clock/clock.ts'
import type { SessionStore } from './session-store.ts'
import { begun, ownerKey, type Session, sessionKey, type Sessions } from './sessions.ts'

/** A connection that was let in. */
export type Presence = { guest: BrokerGuest; readonly client: Client; readonly session: Session }

type Dependencies = {
  readonly store: SessionStore
  readonly sessions: Sessions
  readonly clock: Clock
}

const sessionMs = limits.brokerSessionSeconds * 1_000
const maxSubscriptions = 100

/** Who is here, and which session each of them continues. */
export class GuestBook {
  readonly #deps: Dependencies
  readonly #present = new Map<Client, Presence>()
  #changes = 0

  constructor(deps: Dependencies) {
    this.#deps = deps
  }

  /** Rises with every change of a record, so that whoever was just being looked up is looked up again. */
  get changes(): number {
    return this.#changes
  }

  find(client: Client): Presence | undefined {
    return this.#present.get(client)
  }

  all(): Iterable<Presence> {
    return this.#present.values()
  }

  async enter(client: Client, guest: BrokerGuest, clientId: string): Promise<Presence> {
    const session = await findSession(this.#deps, { guest, client, clientId })
    const presence: Presence = { client, guest, session }
    this.#present.set(client, presence)
    return presence
  }

  async leave({ client, session }: Presence): Promise<void> {
    if (!this.#present.delete(client)) return
    if (session.outlet?.client === client) session.outlet = undefined
    // Somebody has taken it over.
    if (session.client !== client) return
    const { sessions, store, clock } = this.#deps
    session.client = undefined
    session.disconnectedAtMs = clock.now()
    if (session.id === undefined) sessions.delete(session)
    else if (sessions.find(session.key) === session) {
      await saveSession(store, session)
      await forgetExcess(this.#deps, session.owner)
    }
  }

  /** False where it is not theirs to hear, or one too many. Durable when it resolves. */
  async subscribe({ guest, session }: Presence, filter: string, qos: 0 | 1): Promise<boolean> {
    if (!maySubscribe(guest, filter)) return false
    const known = session.filters.get(filter)
    if (known === undefined && session.filters.size >= maxSubscriptions) return false
    if (known === qos) return true
    if (session.id !== undefined) {
      await this.#deps.store.saveSubscription({ sessionId: session.id, filter, qos })
    }
    session.filters.set(filter, qos)
    return true
  }

  async unsubscribe(session: Session, filters: readonly string[]): Promise<void> {
    for (const filter of filters) session.filters.delete(filter)
    if (session.id !== undefined) await this.#deps.store.deleteSubscriptions(session.id, filters)
  }

  /** The record `kind:id` changed: whoever is here by it is asked about again, and leaves or hears what they still may. */
  async recheck(record: string): Promise<void> {
    this.#changes += 1
    const concerned = [...this.#present.values()].filter(
      ({ guest: { holder, owner } }) => holder === record || `${owner.kind}:${owner.id}` === record,
    )
    for (const presence of concerned) {
      const guest = await presence.guest.again().catch(() => undefined)
      if (guest === undefined) presence.client.close()
      else await narrow(this.#deps, presence, guest)
    }
  }

  /** What only time ends. */
  async sweep(): Promise<void> {
    const { sessions, clock } = this.#deps
    const nowMs = clock.now()
    for (const { guest, client } of this.#present.values()) if (guest.untilMs <= nowMs) client.close()
    await forget(
      this.#deps,
      [...sessions.all()].filter((session) => isOver(session, nowMs)),
    )
  }
}

const saveSession = (store: SessionStore, session: Session, state?: 'connected'): Promise<string> =>
  store.saveSession({
    ...session,
    disconnectedAt: state === 'connected' ? undefined : new Date(session.disconnectedAtMs),
  })

/** Its client may come back. */
const isAway = ({ id, client }: Session): boolean => id !== undefined && client === undefined

const isOver = (session: Session, nowMs: number): boolean =>
  isAway(session) && session.disconnectedAtMs + sessionMs <= nowMs

const forget = async ({ sessions, store }: Dependencies, gone: readonly Session[]): Promise<void> => {
  for (const session of gone) sessions.delete(session)
  const ids = gone.flatMap(({ id }) => id ?? [])
  if (ids.length > 0) await store.deleteSessions(ids)
}

/** Those that were left first. */
const forgetExcess = async (deps: Dependencies, owner: Session['owner']): Promise<void> => {
  const away = [...deps.sessions.of(ownerKey(owner))].filter(isAway)
  const newestFirst = away.toSorted((one, other) => other.disconnectedAtMs - one.disconnectedAtMs)
  await forget(deps, newestFirst.slice(limits.brokerSessionsAway))
}

type Arriving = { readonly guest: BrokerGuest; readonly client: Client; readonly clientId: string }

const findSession = async (deps: Dependencies, { guest, client, clientId }: Arriving): Promise<Session> => {
  const { clean } = client
  const { store, sessions, clock } = deps
  const key = sessionKey(guest.owner, clientId)
  const known = sessions.find(key)
  const nowMs = clock.now()
  if (known?.id !== undefined && !clean && !isOver(known, nowMs)) {
    // From here on it is not away, so that nobody forgets it while it is written.
    known.client = client
    try {
      await continueWith(store, known, guest)
      await saveSession(store, known, 'connected')
      return known
    } catch (error) {
      if (known.client === client) known.client = undefined
      throw error
    }
  }
  if (known !== undefined) await forget(deps, [known])
  const { owner, hears } = guest
  const id = clean
    ? undefined
    : await store.saveSession({ owner, clientId, hears, disconnectedAt: undefined })
  const session = begun(guest, { client, clientId, id, nowMs })
  sessions.add(session)
  return session
}

/** With what a weaker token no longer allows taken away. What waits is asked about one by one when it is sent. */
const continueWith = async (store: SessionStore, session: Session, guest: BrokerGuest): Promise<string[]> => {
  session.hears = guest.hears
  const lost = [...session.filters.keys()].filter((filter) => !maySubscribe(guest, filter))
  for (const filter of lost) session.filters.delete(filter)
  if (lost.length > 0 && session.id !== undefined) await store.deleteSubscriptions(session.id, lost)
  return lost
}

/** A client is told of subscriptions it lost the only way MQTT 3.1.1 has: it has to come again. */
const narrow = async ({ store }: Dependencies, presence: Presence, guest: BrokerGuest): Promise<void> => {
  const { session, client } = presence
  presence.guest = guest
  if (session.outlet?.client === client) session.outlet.guest = guest
  const lost = await continueWith(store, session, guest)
  if (session.id !== undefined) await saveSession(store, session, 'connected')
  if (lost.length > 0) client.close()
}
