import type { Client } from 'aedes'
import { matchesTopic } from '../../../lib/topic-filter.ts'
import type { BrokerGuest } from '../../../ports/broker/broker.ts'
import { hasOlderWildcard, mayHear, withMqttWildcard } from '../../../ports/broker/topic-rights.ts'
import type { Outlet } from './outlet.ts'
import type { Owner, StoredSession } from './session-store.ts'

/** Of a client that may come back (`id`), or that is forgotten with its connection. */
export type Session = {
  readonly key: string
  readonly id: string | undefined
  readonly owner: Owner
  readonly clientId: string
  hears: readonly string[]
  readonly filters: Map<string, 0 | 1>
  /** Who was let in last, as long as they are here. */
  client: Client | undefined
  /** While a client is connected. */
  outlet: Outlet | undefined
  disconnectedAtMs: number
  /** How many messages wait; an upper bound. */
  queued: number
}

/** The quality a session wants a message in, by each of the two ways to write its topic; none: not at all. */
export type Wish = { readonly concrete: 0 | 1 | undefined; readonly older: 0 | 1 | undefined }

export const ownerKey = ({ kind, id }: Owner): string => `${kind}/${id}`
/** A client id means a session of its owner only: nobody takes over the session of another. */
export const sessionKey = (owner: Owner, clientId: string): string => `${ownerKey(owner)}/${clientId}`

/** All sessions in memory, found by their key and by whose they are. */
export class Sessions {
  readonly #byKey = new Map<string, Session>()
  readonly #byOwner = new Map<string, Set<Session>>()

  add(session: Session): void {
    this.#byKey.set(session.key, session)
    const owned = this.#byOwner.get(ownerKey(session.owner)) ?? new Set()
    this.#byOwner.set(ownerKey(session.owner), owned.add(session))
  }

  delete(session: Session): void {
    if (this.#byKey.get(session.key) === session) this.#byKey.delete(session.key)
    const owned = this.#byOwner.get(ownerKey(session.owner))
    owned?.delete(session)
    if (owned?.size === 0) this.#byOwner.delete(ownerKey(session.owner))
  }

  find(key: string): Session | undefined {
    return this.#byKey.get(key)
  }

  of(owner: string): Iterable<Session> {
    return this.#byOwner.get(owner) ?? []
  }

  all(): Iterable<Session> {
    return this.#byKey.values()
  }

  get size(): number {
    return this.#byKey.size
  }
}

export const restored = (stored: StoredSession): Session => ({
  key: sessionKey(stored.owner, stored.clientId),
  id: stored.id,
  owner: stored.owner,
  clientId: stored.clientId,
  hears: stored.hears,
  filters: new Map(stored.filters.map(({ filter, qos }) => [filter, qos])),
  client: undefined,
  outlet: undefined,
  disconnectedAtMs: stored.disconnectedAtMs,
  queued: stored.queued,
})

export const begun = (
  { owner, hears }: Pick<BrokerGuest, 'owner' | 'hears'>,
  {
    client,
    clientId,
    id,
    nowMs,
  }: { client: Client; clientId: string; id: string | undefined; nowMs: number },
): Session => ({
  key: sessionKey(owner, clientId),
  id,
  owner,
  clientId,
  hears,
  filters: new Map(),
  client,
  outlet: undefined,
  disconnectedAtMs: nowMs,
  queued: 0,
})

/** One copy however many filters match, in the best quality asked for; older wildcards get theirs under their own topic. */
export const wishOf = (session: Session, topic: string): Wish => {
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
