import type { Client } from 'aedes'
import { limits } from '@millseal/contract'
import { matchesTopic } from '../../../lib/topic-filter.ts'
import type { BrokerGrant } from '../../../ports/broker/broker.ts'
import { hasOlderWildcard, mayHear, withMqttWildcard } from '../../../ports/broker/topic-rights.ts'
import type { ClientSender } from './client-sender.ts'
import type { SessionState, StoredSession } from './session-store.ts'

type Owner = Pick<SessionState, 'ownerKind' | 'ownerId'>

/** A session with an `id` survives its connection. */
export type Session = Omit<SessionState, 'disconnectedAt'> & {
  readonly key: string
  id: number | undefined
  readonly filters: Map<string, 0 | 1>
  /** The newest authenticated connection. */
  client: Client | undefined
  /** While a client is connected. */
  sender: ClientSender | undefined
  disconnectedAtMs: number
  /** An upper bound of the number of queued messages. */
  queued: number
}

/** The client is not connected but may come back. */
export const isAway = ({ id, client }: Session): boolean => id !== undefined && client === undefined

/** The quality in which a session wants a message under each of the two forms of its topic, if any. */
export type WantedQuality = { readonly concrete: 0 | 1 | undefined; readonly older: 0 | 1 | undefined }

export const ownerOf = ({ owner }: BrokerGrant): Owner => ({
  ownerKind: owner.kind,
  ownerId: owner.id,
})
export const ownerKey = ({ ownerKind, ownerId }: Owner): string => `${ownerKind}/${ownerId}`
/** A client id belongs to its owner: no other owner can take over the session. */
export const sessionKey = (owner: Owner, clientId: string): string => `${ownerKey(owner)}/${clientId}`

type Owned = {
  readonly sessions: Set<Session>
  /** How many may be away: as many as were connected at once, because a network or a token ends for all of them at once. */
  mostAway: number
}

/** All sessions in memory, by their key and by their owner. */
export class Sessions {
  readonly #byKey = new Map<string, Session>()
  readonly #byOwner = new Map<string, Owned>()

  add(session: Session): void {
    this.#byKey.set(session.key, session)
    const owned = this.#byOwner.get(ownerKey(session)) ?? {
      sessions: new Set(),
      mostAway: limits.brokerSessionsAway,
    }
    owned.sessions.add(session)
    this.#byOwner.set(ownerKey(session), owned)
  }

  /** Adds the sessions of an earlier broker, which all may be away. */
  restore(stored: Iterable<Session>): void {
    for (const session of stored) this.add(session)
    for (const owned of this.#byOwner.values()) owned.mostAway = Math.max(owned.mostAway, owned.sessions.size)
  }

  delete(session: Session): void {
    if (this.#byKey.get(session.key) === session) this.#byKey.delete(session.key)
    const owned = this.#byOwner.get(ownerKey(session))
    owned?.sessions.delete(session)
    if (owned?.sessions.size === 0) this.#byOwner.delete(ownerKey(session))
  }

  find(key: string): Session | undefined {
    return this.#byKey.get(key)
  }

  of(owner: string): Iterable<Session> {
    return this.#byOwner.get(owner)?.sessions ?? []
  }

  /** Call this before a client of the session counts as gone: those of its owner are connected at once until then. */
  beforeLeaving(session: Session): void {
    const owned = this.#byOwner.get(ownerKey(session))
    if (owned === undefined) return
    let connected = 0
    for (const { id, client } of owned.sessions) if (id !== undefined && client !== undefined) connected += 1
    owned.mostAway = Math.max(owned.mostAway, connected)
  }

  /** The sessions of an owner that were disconnected first, beyond those that may be away. */
  excessOf(owner: string): Session[] {
    const owned = this.#byOwner.get(owner)
    if (owned === undefined) return []
    const away = [...owned.sessions].filter(isAway)
    if (away.length <= owned.mostAway) return []
    const newestFirst = away.toSorted((one, other) => other.disconnectedAtMs - one.disconnectedAtMs)
    return newestFirst.slice(owned.mostAway)
  }

  all(): Iterable<Session> {
    return this.#byKey.values()
  }
}

export const newSession = (
  session: Omit<SessionState, 'disconnectedAt' | 'sentUpTo'>,
  { client, nowMs }: { readonly client: Client; readonly nowMs: number },
): Session => ({
  ...session,
  key: sessionKey(session, session.clientId),
  id: undefined,
  filters: new Map(),
  client,
  sender: undefined,
  disconnectedAtMs: nowMs,
  queued: 0,
  sentUpTo: 0,
})

/** A stored session, whose client is not connected. */
export const restored = ({ filters, disconnectedAt, ...session }: StoredSession, nowMs: number): Session => ({
  ...session,
  key: sessionKey(session, session.clientId),
  filters: new Map(filters.map(({ filter, qos }) => [filter, qos])),
  client: undefined,
  sender: undefined,
  disconnectedAtMs: disconnectedAt?.getTime() ?? nowMs,
})

/** One copy for any number of matching filters, in the best requested quality. Older wildcards get a copy under their own topic. */
export const wantedQuality = (session: Session, topic: string): WantedQuality => {
  let concrete: 0 | 1 | undefined
  let older: 0 | 1 | undefined
  if (!mayHear(session, topic)) return { concrete, older }
  for (const [filter, qos] of session.filters) {
    if (!matchesTopic(withMqttWildcard(filter), topic)) continue
    if (hasOlderWildcard(filter)) older = better(older, qos)
    else concrete = better(concrete, qos)
  }
  return { concrete, older }
}

const better = (one: 0 | 1 | undefined, other: 0 | 1): 0 | 1 => (one === 1 ? 1 : other)
