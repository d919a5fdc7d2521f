import { type Selectable, sql } from 'kysely'
import { commitLater } from '../../../ports/database/commit-later.ts'
import { type Query } from '../../../ports/database/database.ts'
import type { BrokerMessages, BrokerQueue, BrokerSessions } from '../../../ports/database/tables.ts'
import { inGroups } from '../../../lib/in-groups.ts'

type SessionRow = Selectable<BrokerSessions>
export type Subscription = { readonly filter: string; readonly qos: 0 | 1 }
export type StoredSession = SessionRow & {
  readonly filters: readonly Subscription[]
  /** How many messages are queued for it. */
  readonly queued: number
}
export type SessionState = Omit<SessionRow, 'id'>
export type ArrivedMessage = Pick<Selectable<BrokerMessages>, 'id' | 'topic'>
export type PositionedMessage = { readonly id: string; readonly position: number }
export type QueueEntry = Selectable<BrokerQueue>
export type QueuedMessage = Pick<Selectable<BrokerQueue>, 'place'> &
  Pick<Selectable<BrokerMessages>, 'topic' | 'payload'>

type NewSubscription = Subscription & { readonly sessionId: number }

/** What is not to be routed now. */
type Left = {
  /** Of messages that this process has routed without queues. */
  readonly ids: readonly string[]
  /** Whose readers have enough in flight. */
  readonly owners: readonly string[]
}

/** The tables of the broker, through the connection that makes this process the broker. */
export class SessionStore {
  readonly #query: Query
  /** How many sessions still have to acknowledge a message, by its position. Of messages that this process has routed. */
  readonly #awaited = new Map<number, number>()

  constructor(query: Query) {
    this.#query = query
    this.saveSession = inGroups((sessions) => saveSessions(query, sessions), together)
    this.saveSubscription = inGroups((wanted) => saveSubscriptions(query, wanted), together)
    this.acknowledge = inGroups((entries) => this.#deleteQueued(entries), together)
  }

  /** When a process becomes the broker, no client is connected. Clients that still were count as disconnected at `now`. */
  async load(now: Date): Promise<{ sessions: readonly StoredSession[]; position: number }> {
    const db = this.#query
    const position = await this.#takeOver(now)
    await this.#deleteOrphans()
    const { rows } = await sql<StoredSession>`
      select s.*, (select count(*) from broker_queue q where q.session_id = s.id) as queued,
        coalesce((select json_agg(json_build_object('filter', f.filter, 'qos', f.qos))
          from broker_subscriptions f where f.session_id = s.id), '[]') as filters
      from broker_sessions s`.execute(db)
    return { sessions: rows, position }
  }

  /**
   * Resolves with the last position of a message. It is lower than before if later messages are gone. A client that still
   * counts as connected may have been sent all that arrived, because its broker was killed.
   */
  async #takeOver(now: Date): Promise<number> {
    const { rows } = await sql<{ readonly position: number }>`
      with messages as (
        select coalesce(max(position), 0) as position, count(*) filter (where position is null) as arrived
        from broker_messages
      ), taken_over as (
        update broker_sessions set disconnected_at = coalesce(disconnected_at, ${now}), sent_up_to =
          case when disconnected_at is null then (position + arrived) * 2 + 1 else least(sent_up_to, position * 2 + 1) end
        from messages
      )
      select position from messages`.execute(this.#query)
    return rows[0]?.position ?? 0
  }

  /** Resolves with the id of the session. */
  readonly saveSession: (session: SessionState) => Promise<number>

  async saveAllDisconnected(at: Date): Promise<void> {
    await this.#query
      .updateTable('brokerSessions')
      .set({ disconnectedAt: at })
      .where('disconnectedAt', 'is', null)
      .execute()
  }

  /** Deletes sessions with their queues. */
  async deleteSessions(sessionIds: readonly number[]): Promise<void> {
    await sql`
      with sessions as (delete from broker_sessions where id = any(${sessionIds}::bigint[]))
      delete from broker_queue where session_id = any(${sessionIds}::bigint[])`.execute(this.#query)
  }

  /** Queues of sessions that an earlier release deleted. A foreign key would cost half of what a queued message costs. */
  async #deleteOrphans(): Promise<void> {
    await sql`
      delete from broker_queue q where not exists (select from broker_sessions s where s.id = q.session_id)`.execute(
      this.#query,
    )
  }

  readonly saveSubscription: (subscription: NewSubscription) => Promise<NewSubscription>

  async deleteSubscriptions(sessionId: number, filters: readonly string[]): Promise<void> {
    await sql`delete from broker_subscriptions where session_id = ${sessionId} and filter = any(${filters})`.execute(
      this.#query,
    )
  }

  findArrived(limit: number, { ids, owners }: Left): Promise<ArrivedMessage[]> {
    return this.#query
      .selectFrom('brokerMessages')
      .select(['id', 'topic'])
      .where('position', 'is', null)
      .where('id', '!=', sql<string>`all (${[...ids]}::uuid[])`)
      .$if(owners.length > 0, (query) =>
        query.where(
          sql`split_part(topic, '/', 1) || '/' || split_part(topic, '/', 2)`,
          '!=',
          sql<string>`all (${[...owners]}::text[])`,
        ),
      )
      .orderBy('sequence')
      .limit(limit)
      .execute()
  }

  /** By the ids of messages. Apart from `findArrived`, because often nobody wants what arrived, and payloads are large. */
  async findPayloads(ids: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>> {
    if (ids.length === 0) return new Map()
    const rows = await this.#query
      .selectFrom('brokerMessages')
      .select(['id', 'payload'])
      .where('id', '=', sql<string>`any (${[...ids]}::uuid[])`)
      .execute()
    return new Map(rows.map(({ id, payload }) => [id, payload]))
  }

  /** One statement, so that a message is either in every queue it belongs to or not routed yet. */
  async route({
    positioned,
    queued,
    unwanted,
  }: {
    readonly positioned: readonly PositionedMessage[]
    readonly queued: readonly QueueEntry[]
    /** The ids of messages that no session waits for. */
    readonly unwanted: readonly string[]
  }): Promise<void> {
    if (positioned.length === 0) return this.#deleteUnwanted(unwanted)
    await sql`
      with positioned as (
        update broker_messages m set position = given.position
        from unnest(${positioned.map(({ id }) => id)}::uuid[], ${positioned.map(({ position }) => position)}::bigint[])
          as given (id, position) where m.id = given.id
      ), queued as (
        insert into broker_queue (session_id, place)
        select s.id, given.place
        from unnest(${queued.map(({ sessionId }) => sessionId)}::bigint[], ${queued.map(({ place }) => place)}::bigint[])
          as given (session_id, place)
        join broker_sessions s on s.id = given.session_id
      )
      delete from broker_messages where id = any(${unwanted}::uuid[])`.execute(this.#query)
    for (const { place } of queued) {
      const position = positionOf(place)
      this.#awaited.set(position, (this.#awaited.get(position) ?? 0) + 1)
    }
    // The oldest are of sessions that are away. Those that are not known are looked up.
    for (const position of this.#awaited.keys()) {
      if (this.#awaited.size <= mostAwaited) break
      this.#awaited.delete(position)
    }
  }

  /** Without waiting for the disk: messages that a crash brings back are routed once more. */
  async #deleteUnwanted(ids: readonly string[]): Promise<void> {
    await sql`delete from broker_messages where id = any(${ids}::uuid[]) returning ${commitLater}`.execute(
      this.#query,
    )
  }

  /** The next messages of a queue, within the given limits, but at least one. */
  async findQueued(sessionId: number, after: number, most: { count: number; bytes: number }) {
    const { rows } = await sql<QueuedMessage>`
      with next as (
        select q.place, m.id, sum(octet_length(m.payload)) over (order by q.place) as bytes
        from (select place from broker_queue where session_id = ${sessionId} and place > ${after}
          order by place limit ${most.count}) q
        join broker_messages m on m.position = q.place / 2
      )
      select next.place, m.topic, m.payload from next join broker_messages m on m.id = next.id
      where next.bytes - octet_length(m.payload) < ${most.bytes} order by next.place`.execute(this.#query)
    return rows
  }

  readonly acknowledge: (entry: QueueEntry) => Promise<QueueEntry>

  async #deleteQueued(acknowledged: readonly QueueEntry[]): Promise<readonly QueueEntry[]> {
    const db = this.#query
    await sql`
      delete from broker_queue q
      using unnest(${acknowledged.map(({ sessionId }) => sessionId)}::bigint[], ${acknowledged.map(({ place }) => place)}::bigint[])
        as done (session_id, place)
      where q.session_id = done.session_id and q.place = done.place`.execute(db)
    const positions = new Set(acknowledged.map(({ place }) => positionOf(place)).filter(this.#isLast))
    if (positions.size === 0) return acknowledged
    await sql`
      delete from broker_messages m where position = any(${[...positions]}::bigint[]) and ${isNotQueued}`.execute(
      db,
    )
    return acknowledged
  }

  /** Whether no other session has to acknowledge this message, as far as this process knows. */
  readonly #isLast = (position: number): boolean => {
    const left = (this.#awaited.get(position) ?? 1) - 1
    if (left > 0) this.#awaited.set(position, left)
    else this.#awaited.delete(position)
    return left <= 0
  }

  /** Deletes the oldest messages of a queue beyond its limit. */
  async deleteExcess(sessionId: number, limit: number): Promise<number> {
    const { numAffectedRows = 0n } = await sql`
      delete from broker_queue where session_id = ${sessionId} and place <= (
        select place from broker_queue where session_id = ${sessionId} order by place desc offset ${limit} limit 1)`.execute(
      this.#query,
    )
    return Number(numAffectedRows)
  }

  /** Deletes routed messages that are in no queue any more. */
  async deleteUnqueued(): Promise<void> {
    await sql`delete from broker_messages m where position is not null and ${isNotQueued}`.execute(
      this.#query,
    )
  }
}

const mostAwaited = 10_000

/** A write to the tables of the broker is repeated by its client. */
const together = { most: 500, ifItFails: 'reject all' } as const

export const positionOf = (place: number): number => Math.floor(place / 2)

const isNotQueued = sql`not exists (select from broker_queue q where q.place in (m.position * 2, m.position * 2 + 1))`

type SessionName = Pick<SessionRow, 'ownerKind' | 'ownerId' | 'clientId'>
const nameOf = ({ ownerKind, ownerId, clientId }: SessionName): string =>
  `${ownerKind}/${ownerId}/${clientId}`

/** If a batch contains a session several times, the last state is stored. */
const saveSessions = async (query: Query, sessions: readonly SessionState[]): Promise<number[]> => {
  const lastOf = new Map(sessions.map((session) => [nameOf(session), session]))
  const given = [...lastOf.values()].map(
    ({ ownerKind, ownerId, clientId, hears, disconnectedAt, sentUpTo }) => ({
      ownerKind,
      ownerId,
      clientId,
      hears,
      disconnectedAt,
      sentUpTo,
    }),
  )
  const { rows } = await sql<SessionName & Pick<SessionRow, 'id'>>`
    insert into broker_sessions (owner_kind, owner_id, client_id, hears, disconnected_at, sent_up_to)
    select "ownerKind", "ownerId", "clientId", array(select json_array_elements_text(hears)), "disconnectedAt", "sentUpTo"
    from json_to_recordset(${JSON.stringify(given)}) as given
      ("ownerKind" text, "ownerId" uuid, "clientId" text, hears json, "disconnectedAt" timestamptz, "sentUpTo" bigint)
    on conflict (owner_kind, owner_id, client_id)
      do update set hears = excluded.hears, disconnected_at = excluded.disconnected_at, sent_up_to = excluded.sent_up_to
    returning id, owner_kind, owner_id, client_id`.execute(query)
  const ids = new Map(rows.map((row) => [nameOf(row), row.id]))
  return sessions.map((session) => {
    const id = ids.get(nameOf(session))
    if (id === undefined) throw new Error('A session was not stored')
    return id
  })
}

const saveSubscriptions = async (
  query: Query,
  wanted: readonly NewSubscription[],
): Promise<readonly NewSubscription[]> => {
  const last = new Map(wanted.map((each) => [`${each.sessionId}/${each.filter}`, each]))
  const given = [...last.values()]
  await sql`
    insert into broker_subscriptions (session_id, filter, qos)
    select s.id, given.filter, given.qos
    from unnest(${given.map(({ sessionId }) => sessionId)}::bigint[], ${given.map(({ filter }) => filter)}::text[],
      ${given.map(({ qos }) => qos)}::smallint[]) as given (session_id, filter, qos)
    join broker_sessions s on s.id = given.session_id
    on conflict (session_id, filter) do update set qos = excluded.qos`.execute(query)
  return wanted
}
