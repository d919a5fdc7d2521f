import type { TopicOwner } from '@millseal/contract'
import type { Run } from './leadership.ts'

export type Owner = { readonly kind: TopicOwner; readonly id: string }
export type StoredSession = {
  readonly id: string
  readonly owner: Owner
  readonly clientId: string
  readonly hears: readonly string[]
  readonly disconnectedAtMs: number
  readonly filters: readonly { readonly filter: string; readonly qos: 0 | 1 }[]
  readonly queued: number
}
export type Arrived = { readonly id: string; readonly topic: string; readonly payload: Buffer }
export type Placed = { readonly id: string; readonly position: number }
export type Waiting = { readonly sessionId: string; readonly place: number }
export type Queued = { readonly place: number; readonly topic: string; readonly payload: Buffer }

/** The tables of the broker, through the connection that makes this process the broker. */
export class SessionStore {
  readonly #run: Run

  constructor(run: Run) {
    this.#run = run
  }

  /** Everybody is away when a process becomes the broker; who was connected just before counts as gone since now. */
  async load(now: Date): Promise<{ sessions: StoredSession[]; position: number }> {
    await this.saveAllDisconnected(now)
    const { rows } = await this.#run<SessionRow>(`
      select s.*, (select count(*)::int from broker_queue q where q.session_id = s.id) as queued,
        coalesce((select json_agg(json_build_object('filter', f.filter, 'qos', f.qos))
          from broker_subscriptions f where f.session_id = s.id), '[]') as filters
      from broker_sessions s`)
    const last = await this.#run<{ position: string }>(
      'select coalesce(max(position), 0) as position from broker_messages',
    )
    return { sessions: rows.map(toSession), position: Number(last.rows[0]?.position ?? 0) }
  }

  async saveSession(owner: Owner, clientId: string, hears: readonly string[], now: Date): Promise<string> {
    const { rows } = await this.#run<{ id: string }>(
      `insert into broker_sessions (owner_kind, owner_id, client_id, hears, disconnected_at)
       values ($1, $2, $3, $4, $5)
       on conflict (owner_kind, owner_id, client_id) do update set hears = excluded.hears
       returning id`,
      [owner.kind, owner.id, clientId, hears, now],
    )
    const [row] = rows
    if (row === undefined) throw new Error('A session was not saved')
    return row.id
  }

  async saveHears(sessionId: string, hears: readonly string[]): Promise<void> {
    await this.#run('update broker_sessions set hears = $2 where id = $1', [sessionId, hears])
  }

  async saveDisconnected(sessionId: string, at: Date | undefined): Promise<void> {
    await this.#run('update broker_sessions set disconnected_at = $2 where id = $1', [sessionId, at])
  }

  async saveAllDisconnected(at: Date): Promise<void> {
    await this.#run('update broker_sessions set disconnected_at = $1 where disconnected_at is null', [at])
  }

  /** With all that waits for them. */
  async deleteSessions(sessionIds: readonly string[]): Promise<void> {
    await this.#run('delete from broker_sessions where id = any($1::bigint[])', [sessionIds])
  }

  async saveSubscription(sessionId: string, filter: string, qos: 0 | 1): Promise<void> {
    await this.#run(
      `insert into broker_subscriptions (session_id, filter, qos) values ($1, $2, $3)
       on conflict (session_id, filter) do update set qos = excluded.qos`,
      [sessionId, filter, qos],
    )
  }

  async deleteSubscriptions(sessionId: string, filters: readonly string[]): Promise<void> {
    await this.#run('delete from broker_subscriptions where session_id = $1 and filter = any($2)', [
      sessionId,
      filters,
    ])
  }

  async findArrived(limit: number): Promise<Arrived[]> {
    const { rows } = await this.#run<Arrived>({
      name: 'broker-arrived',
      text: 'select id, topic, payload from broker_messages where position is null order by sequence limit $1',
      values: [limit],
    })
    return rows
  }

  /** One statement, so that a message has its place in every queue, or is still to be routed. */
  async route({ placed, waiting, unwanted }: Routed): Promise<void> {
    await this.#run({
      name: 'broker-route',
      text: `
        with placed as (
          update broker_messages m set position = given.position
          from unnest($1::uuid[], $2::bigint[]) as given (id, position) where m.id = given.id
        ), queued as (
          insert into broker_queue (session_id, place)
          select s.id, given.place from unnest($3::bigint[], $4::bigint[]) as given (session_id, place)
          join broker_sessions s on s.id = given.session_id
        )
        delete from broker_messages where id = any($5::uuid[])`,
      values: [
        placed.map(({ id }) => id),
        placed.map(({ position }) => position),
        waiting.map(({ sessionId }) => sessionId),
        waiting.map(({ place }) => place),
        unwanted,
      ],
    })
  }

  /** What comes next, as much as is allowed to be in memory; one message at least. */
  async findQueued(sessionId: string, after: number, most: { count: number; bytes: number }) {
    const { rows } = await this.#run<{ place: string; topic: string; payload: Buffer }>({
      name: 'broker-queued',
      text: `
        with next as (
          select q.place, m.id, sum(octet_length(m.payload)) over (order by q.place) as bytes
          from (select place from broker_queue where session_id = $1 and place > $2 order by place limit $3) q
          join broker_messages m on m.position = q.place / 2
        )
        select next.place, m.topic, m.payload from next join broker_messages m on m.id = next.id
        where next.bytes - octet_length(m.payload) < $4 order by next.place`,
      values: [sessionId, after, most.count, most.bytes],
    })
    return rows.map(({ place, ...rest }): Queued => ({ ...rest, place: Number(place) }))
  }

  async deleteQueued(acknowledged: readonly Waiting[]): Promise<void> {
    await this.#run({
      name: 'broker-acknowledged',
      text: `delete from broker_queue q
        using unnest($1::bigint[], $2::bigint[]) as done (session_id, place)
        where q.session_id = done.session_id and q.place = done.place`,
      values: [acknowledged.map(({ sessionId }) => sessionId), acknowledged.map(({ place }) => place)],
    })
    await this.#run({
      name: 'broker-done',
      text: `delete from broker_messages m where position = any($1::bigint[]) and ${nobodyWaits}`,
      values: [[...new Set(acknowledged.map(({ place }) => Math.floor(place / 2)))]],
    })
  }

  /** The oldest beyond what a queue may hold. */
  async deleteExcess(sessionId: string, keep: number): Promise<number> {
    const { rowCount } = await this.#run(
      `delete from broker_queue where session_id = $1 and place <= (
         select place from broker_queue where session_id = $1 order by place desc offset $2 limit 1)`,
      [sessionId, keep],
    )
    return rowCount ?? 0
  }

  async deleteForgotten(): Promise<void> {
    await this.#run(`delete from broker_messages m where position is not null and ${nobodyWaits}`)
  }
}

const nobodyWaits =
  'not exists (select from broker_queue q where q.place in (m.position * 2, m.position * 2 + 1))'

type Routed = {
  readonly placed: readonly Placed[]
  readonly waiting: readonly Waiting[]
  /** Nobody waits for these. */
  readonly unwanted: readonly string[]
}

type SessionRow = {
  id: string
  owner_kind: TopicOwner
  owner_id: string
  client_id: string
  hears: string[]
  disconnected_at: Date
  filters: { filter: string; qos: 0 | 1 }[]
  queued: number
}

const toSession = (row: SessionRow): StoredSession => ({
  id: row.id,
  owner: { kind: row.owner_kind, id: row.owner_id },
  clientId: row.client_id,
  hears: row.hears,
  disconnectedAtMs: row.disconnected_at.getTime(),
  filters: row.filters,
  queued: row.queued,
})
