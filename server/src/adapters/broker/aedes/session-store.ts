import type { TopicOwner } from '@millseal/contract'
import { createBatch } from './batch.ts'
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

export type SessionState = {
  readonly owner: Owner
  readonly clientId: string
  readonly hears: readonly string[]
  /** Of a client that is away. */
  readonly disconnectedAt: Date | undefined
}
type Subscription = { readonly sessionId: string; readonly filter: string; readonly qos: 0 | 1 }

/** The tables of the broker, through the connection that makes this process the broker. */
export class SessionStore {
  readonly #run: Run

  constructor(run: Run) {
    this.#run = run
    this.saveSession = createBatch((sessions) => saveSessions(run, sessions), { size: batchSize })
    this.saveSubscription = createBatch((wanted) => saveSubscriptions(run, wanted), { size: batchSize })
    this.acknowledge = createBatch((items) => this.#deleteQueued(items), { size: batchSize })
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

  /** Resolves with its id. */
  readonly saveSession: (session: SessionState) => Promise<string>

  async saveAllDisconnected(at: Date): Promise<void> {
    await this.#run('update broker_sessions set disconnected_at = $1 where disconnected_at is null', [at])
  }

  /** With all that waits for them. */
  async deleteSessions(sessionIds: readonly string[]): Promise<void> {
    await this.#run('delete from broker_sessions where id = any($1::bigint[])', [sessionIds])
  }

  readonly saveSubscription: (subscription: Subscription) => Promise<Subscription>

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
    if (placed.length === 0) return this.#deleteUnwanted(unwanted)
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

  /** Without waiting for the disk: those that a crash brings back are routed once more. */
  async #deleteUnwanted(ids: readonly string[]): Promise<void> {
    await this.#run({
      name: 'broker-unwanted',
      text: `
        delete from broker_messages where id = any($1::uuid[])
        returning set_config('synchronous_commit', 'off', true)`,
      values: [ids],
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

  readonly acknowledge: (place: Waiting) => Promise<Waiting>

  async #deleteQueued(acknowledged: readonly Waiting[]): Promise<readonly Waiting[]> {
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
    return acknowledged
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

const batchSize = 500

/** The last word about each session counts. */
const saveSessions = async (run: Run, sessions: readonly SessionState[]): Promise<string[]> => {
  const lastOf = new Map(sessions.map((session) => [nameOf(session.owner, session.clientId), session]))
  const given = [...lastOf.values()].map(({ owner, clientId, hears, disconnectedAt }) => ({
    owner_kind: owner.kind,
    owner_id: owner.id,
    client_id: clientId,
    hears,
    disconnected_at: disconnectedAt?.toISOString() ?? null,
  }))
  const { rows } = await run<Pick<SessionRow, 'id' | 'owner_kind' | 'owner_id' | 'client_id'>>({
    name: 'broker-sessions',
    text: `insert into broker_sessions (owner_kind, owner_id, client_id, hears, disconnected_at)
      select owner_kind, owner_id, client_id, array(select json_array_elements_text(hears)), disconnected_at
      from json_to_recordset($1) as given
        (owner_kind text, owner_id uuid, client_id text, hears json, disconnected_at timestamptz)
      on conflict (owner_kind, owner_id, client_id)
        do update set hears = excluded.hears, disconnected_at = excluded.disconnected_at
      returning id, owner_kind, owner_id, client_id`,
    values: [JSON.stringify(given)],
  })
  const ids = new Map(
    rows.map((row) => [nameOf({ kind: row.owner_kind, id: row.owner_id }, row.client_id), row.id]),
  )
  return sessions.map(({ owner, clientId }) => ids.get(nameOf(owner, clientId)) ?? '')
}

const nameOf = ({ kind, id }: Owner, clientId: string): string => `${kind}/${id}/${clientId}`

const saveSubscriptions = async (
  run: Run,
  wanted: readonly Subscription[],
): Promise<readonly Subscription[]> => {
  const last = new Map(wanted.map((each) => [`${each.sessionId}/${each.filter}`, each]))
  const given = [...last.values()]
  await run({
    name: 'broker-subscriptions',
    text: `insert into broker_subscriptions (session_id, filter, qos)
      select s.id, given.filter, given.qos
      from unnest($1::bigint[], $2::text[], $3::smallint[]) as given (session_id, filter, qos)
      join broker_sessions s on s.id = given.session_id
      on conflict (session_id, filter) do update set qos = excluded.qos`,
    values: [
      given.map(({ sessionId }) => sessionId),
      given.map(({ filter }) => filter),
      given.map(({ qos }) => qos),
    ],
  })
  return wanted
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
