import type { Client } from 'aedes'
import { limits } from '@millseal/contract'
import type { BrokerGrant } from '../../../ports/broker/broker.ts'
import { maySubscribe } from '../../../ports/broker/topic-rights.ts'
import { createTurns } from '../../../lib/in-turn.ts'
import type { Clock } from '../../../ports/clock/clock.ts'
import type { SessionStore } from './session-store.ts'
import { isAway, newSession, ownerKey, ownerOf, type Session, sessionKey, type Sessions } from './sessions.ts'

/** A connection whose client was authenticated. */
export type Connection = {
  grant: BrokerGrant
  readonly client: Client
  readonly session: Session
  /** Subscriptions that are being written. */
  pending: number
}

type Dependencies = {
  readonly store: SessionStore
  readonly sessions: Sessions
  readonly clock: Clock
}

const sessionMs = limits.brokerSessionSeconds * 1_000
const maxSubscriptions = 100
/** As long as a statement may take. */
const longestWaitMs = 30_000

/** The authenticated connections, and the session that each of them continues. */
export class ConnectedClients {
  readonly #deps: Dependencies
  readonly #connections = new Map<Client, Connection>()
  /** Two that opened a session at once would each have one of their own, with one row. */
  readonly #openInTurn = createTurns({ atOnce: 1, longestWaitMs })
  #changes = 0

  constructor(deps: Dependencies) {
    this.#deps = deps
  }

  /** Increases with every change of a record, so that a client that was just connecting is checked again. */
  get changes(): number {
    return this.#changes
  }

  find(client: Client): Connection | undefined {
    return this.#connections.get(client)
  }

  get count(): number {
    return this.#connections.size
  }

  all(): Iterable<Connection> {
    return this.#connections.values()
  }

  async connect(client: Client, grant: BrokerGrant, clientId: string): Promise<Connection> {
    const key = sessionKey(ownerOf(grant), clientId)
    const { signal } = new AbortController()
    const session = await this.#openInTurn({ key, signal }, () =>
      openSession(this.#deps, { grant, client, clientId }),
    )
    const connection: Connection = { client, grant, session, pending: 0 }
    this.#connections.set(client, connection)
    return connection
  }

  async disconnect({ client, session }: Connection): Promise<void> {
    if (!this.#connections.delete(client)) return
    if (session.sender?.client === client) session.sender = undefined
    // A newer connection has taken over the session.
    if (session.client !== client) return
    const { sessions, store, clock } = this.#deps
    sessions.beforeLeaving(session)
    session.client = undefined
    session.disconnectedAtMs = clock.now()
    if (session.id === undefined) sessions.delete(session)
    else if (sessions.find(session.key) === session) {
      await saveSession(store, session)
      await deleteSessions(this.#deps, sessions.excessOf(ownerKey(session)))
    }
  }

  /** False if the client may not hear this, or has too many subscriptions. Durable when it resolves. */
  async subscribe(connection: Connection, filter: string, qos: 0 | 1): Promise<boolean> {
    const { grant, session } = connection
    if (!maySubscribe(grant, filter)) return false
    const known = session.filters.get(filter)
    // The filters of a packet are asked for at once.
    if (known === undefined && session.filters.size + connection.pending >= maxSubscriptions) return false
    if (known === qos) return true
    if (session.id !== undefined) {
      connection.pending += 1
      try {
        await this.#deps.store.saveSubscription({ sessionId: session.id, filter, qos })
      } finally {
        connection.pending -= 1
      }
    }
    session.filters.set(filter, qos)
    return true
  }

  async unsubscribe(session: Session, filters: readonly string[]): Promise<void> {
    for (const filter of filters) session.filters.delete(filter)
    if (session.id !== undefined) await this.#deps.store.deleteSubscriptions(session.id, filters)
  }

  /** The record `kind:id` changed: its clients are checked again, and disconnected or restricted to what they may still hear. */
  async recheck(record: string): Promise<void> {
    this.#changes += 1
    const concerned = [...this.#connections.values()].filter(
      ({ grant: { holder, owner } }) => holder === record || `${owner.kind}:${owner.id}` === record,
    )
    for (const connection of concerned) await this.recheckOne(connection)
  }

  async recheckOne(connection: Connection): Promise<void> {
    const grant = await connection.grant.recheck().catch(() => undefined)
    if (grant === undefined) connection.client.close()
    else await replaceGrant(this.#deps, connection, grant)
  }

  /** Closes connections whose token has expired, and deletes sessions whose client did not come back. */
  async expire(): Promise<void> {
    const { sessions, clock } = this.#deps
    const nowMs = clock.now()
    for (const { grant, client } of this.#connections.values()) if (grant.untilMs <= nowMs) client.close()
    await deleteSessions(
      this.#deps,
      [...sessions.all()].filter((session) => isOver(session, nowMs)),
    )
  }
}

const saveSession = (store: SessionStore, session: Session, state?: 'connected'): Promise<number> =>
  store.saveSession({
    ...session,
    disconnectedAt: state === 'connected' ? null : new Date(session.disconnectedAtMs),
  })

const isOver = (session: Session, nowMs: number): boolean =>
  isAway(session) && session.disconnectedAtMs + sessionMs <= nowMs

const deleteSessions = async ({ sessions, store }: Dependencies, over: readonly Session[]): Promise<void> => {
  for (const session of over) sessions.delete(session)
  const ids = over.flatMap(({ id }) => id ?? [])
  if (ids.length > 0) await store.deleteSessions(ids)
}

const openSession = async (
  deps: Dependencies,
  {
    grant,
    client,
    clientId,
  }: { readonly grant: BrokerGrant; readonly client: Client; readonly clientId: string },
): Promise<Session> => {
  const { store, sessions, clock } = deps
  const nowMs = clock.now()
  const fresh = newSession({ ...ownerOf(grant), clientId, hears: [...grant.hears] }, { client, nowMs })
  const known = sessions.find(fresh.key)
  // MQTT 3.1.1 §3.1.4: now, because without its session it would hear nothing, even if this client leaves at once.
  known?.client?.close()
  if (known?.id !== undefined && !client.clean && !isOver(known, nowMs)) {
    // From here on the client is not away, so that its session is not deleted while it is written.
    known.client = client
    try {
      await restrict(store, known, grant)
      await saveSession(store, known, 'connected')
      return known
    } catch (error) {
      if (known.client === client) known.client = undefined
      throw error
    }
  }
  if (known !== undefined) await deleteSessions(deps, [known])
  if (!client.clean) fresh.id = await saveSession(store, fresh, 'connected')
  sessions.add(fresh)
  return fresh
}

/** Removes the subscriptions that a new grant does not cover, and returns them. Queued messages are checked when they are sent. */
const restrict = async (store: SessionStore, session: Session, grant: BrokerGrant): Promise<string[]> => {
  session.hears = [...grant.hears]
  const lost = [...session.filters.keys()].filter((filter) => !maySubscribe(grant, filter))
  for (const filter of lost) session.filters.delete(filter)
  if (lost.length > 0 && session.id !== undefined) await store.deleteSubscriptions(session.id, lost)
  return lost
}

/** MQTT 3.1.1 has only one way to tell a client that it lost subscriptions: it has to reconnect. */
const replaceGrant = async (
  { store }: Dependencies,
  connection: Connection,
  grant: BrokerGrant,
): Promise<void> => {
  const { session, client } = connection
  connection.grant = grant
  if (session.sender?.client === client) session.sender.grant = grant
  const lost = await restrict(store, session, grant)
  if (session.id !== undefined) await saveSession(store, session, 'connected')
  if (lost.length > 0) client.close()
}
