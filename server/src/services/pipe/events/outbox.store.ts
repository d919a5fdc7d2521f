import { type Selectable, sql } from 'kysely'
import { commitLater } from '../../../ports/database/commit-later.ts'
import { type Query } from '../../../ports/database/database.ts'
import type { Outbox } from '../../../ports/database/tables.ts'

/** Notified without content by the insertion of an event (migration 0015), and with `queued` by `notifyQueued`. */
export const outboxChannel = 'millseal_outbox'

const queued = 'queued'

/** Announces a delivery or a mail that is due without a new event: a retry by hand. */
export const notifyQueued = async (tx: Query): Promise<void> => {
  await sql`select pg_notify(${outboxChannel}, ${queued})`.execute(tx)
}

/** Notified with the owners of events that got their positions, or with nothing if they are too many to name. */
export const sequenceChannel = 'millseal_event_sequence'

/** A notification has at most 8,000 bytes. */
const mostNamed = 200

export const notifyFollowers = async (tx: Query, owners: readonly string[]): Promise<void> => {
  const named = owners.length > mostNamed ? '' : owners.join(' ')
  await sql`select pg_notify(${sequenceChannel}, ${named})`.execute(tx)
}

/** True if only an event is new: nothing of it is queued before it was dispatched. */
export const isEventOnly = (news: string | undefined): boolean => news === ''

const entryColumns = ['id', 'ownerKind', 'ownerId', 'mode', 'resource', 'action', 'aboutId'] as const

export type OutboxEntry = Pick<Selectable<Outbox>, (typeof entryColumns)[number]>

/** One transaction at a time over all processes does each of these, which keeps the order within an owner. */
const locks = { dispatch: 'millseal outbox dispatch', publish: 'millseal outbox publish' } as const

/** False if another process has the lock; it ends with the transaction. */
export const tryToLock = async (tx: Query, what: keyof typeof locks): Promise<boolean> => {
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${locks[what]}, 0)) as locked`.execute(tx)
  return rows[0]?.locked === true
}

/** Gives them their positions. No other process can until the transaction ends, so none is added before one that was read. */
export const markDispatched = async (tx: Query, ids: readonly string[], now: Date): Promise<void> => {
  await sql`
    with given as materialized (
      select id from outbox where id = any(${[...ids]}::uuid[]) order by sequence
    ), numbered as materialized (
      select id, nextval('event_positions') as position from given
    )
    update outbox o set dispatched_at = ${now}, position = n.position from numbered n where o.id = n.id`.execute(
    tx,
  )
}

/** Gives positions to what a process of the release before has dispatched. */
export const numberDispatched = async (tx: Query): Promise<void> => {
  await sql`
    with lacking as materialized (
      select id from outbox
      where dispatched_at is not null and position is null and sequence >= (
        select start_value from pg_sequences where schemaname = current_schema() and sequencename = 'event_positions'
      )
      order by sequence limit 1000
    ), numbered as materialized (
      select id, nextval('event_positions') as position from lacking
    )
    update outbox o set position = n.position from numbered n where o.id = n.id`.execute(tx)
}

export type UnpublishedEntry = OutboxEntry & { readonly payload: Uint8Array }

type Turns = {
  /** Of events, and so of owners too: several passes in turn serve more. */
  readonly limit: number
  /** Owners whose events are left for later. */
  readonly waiting: readonly string[]
  /** Owners up to this id had their turn in the passes before. */
  readonly afterOwner: string | undefined
}

const beforeAllOwners = '00000000-0000-0000-0000-000000000000'

/** `chosen`: the oldest event of each owner, then the second oldest, and so on, of those that lack this time. */
const chosenInTurns = (
  lacking: 'dispatched_at' | 'published_at',
  { limit, waiting, afterOwner = beforeAllOwners }: Turns,
) => {
  const open = sql`${sql.ref(lacking)} is null and owner_id <> all(${[...waiting]}::uuid[])`
  return sql`
    with recursive owners (owner, place) as (
      (select owner_id, 1 from outbox where ${open} and owner_id > ${afterOwner}::uuid order by owner_id limit 1)
      union all
      select (select owner_id from outbox where ${open} and owner_id > w.owner order by owner_id limit 1), w.place + 1
      from owners w where w.owner is not null and w.place < ${limit}::int
    ), oldest as (
      select e.id, e.sequence, e.size, row_number() over (partition by w.owner order by e.sequence) as turn
      from owners w cross join lateral (
        select id, sequence, octet_length(payload) as size from outbox
        where owner_id = w.owner and ${sql.ref(lacking)} is null order by sequence limit ${limit}::int
      ) as e
    ), chosen as (
      select * from oldest order by turn, sequence limit ${limit}::int
    )`
}

/**
 * Within an owner in the order of writing, as far as committed: an event that commits late is found late and never skipped.
 * An event that was caused by another one of its owner, which somebody has seen, was written after it.
 */
export const findUndispatched = async (tx: Query, turns: Turns): Promise<OutboxEntry[]> => {
  const { rows } = await sql<OutboxEntry>`
    ${chosenInTurns('dispatched_at', turns)}
    select o.id, o.owner_kind, o.owner_id, o.mode, o.resource, o.action, o.about_id
    from chosen c join outbox o on o.id = c.id order by o.sequence`.execute(tx)
  return rows
}

/** Returns as many events as fit into the limits. */
export const findUnpublished = async (
  tx: Query,
  { bytes, ...turns }: Turns & { readonly bytes: number },
): Promise<UnpublishedEntry[]> => {
  const { rows } = await sql<UnpublishedEntry>`
    ${chosenInTurns('published_at', turns)}, fitting as (
      select id, sum(size) over (order by turn, sequence) - size as before from chosen
    )
    select o.id, o.owner_kind, o.owner_id, o.mode, o.resource, o.action, o.about_id, o.payload
    from fitting f join outbox o on o.id = f.id where f.before < ${bytes}::bigint order by o.sequence`.execute(
    tx,
  )
  return rows
}

/** If a crash undoes this, the events are published again under the same ids. */
export const markPublished = async (tx: Query, ids: readonly string[], now: Date): Promise<void> => {
  await sql`
    update outbox set published_at = ${now} where id = any(${[...ids]}::uuid[])
    returning ${commitLater}`.execute(tx)
}

export type Match = { readonly eventId: string; readonly hookId: string; readonly companyId: string }

/** Which webhooks listen to which of these events. A webhook that is found cannot be deleted before the transaction ends. */
export const findListeners = async (tx: Query, eventIds: readonly string[]): Promise<Match[]> => {
  const { rows } = await sql<Match>`
    select o.id as event_id, h.id as hook_id, o.owner_id as company_id
    from outbox o
    join hooks h on h.company_id = o.owner_id and h.status = 'enabled' and h.ended_at is null
      and concat_ws('/', o.mode, o.resource, o.action) = any(h.listens)
    where o.id = any(${[...eventIds]}::uuid[]) and o.owner_kind = 'company'
    order by o.sequence, h.id
    for key share of h`.execute(tx)
  return rows
}

export type NewRecord = Pick<Match, 'eventId' | 'hookId'> & {
  readonly id: string
  /** Why it is not delivered; undefined if it is. */
  readonly refusal: { readonly error: string; readonly reasons: string } | undefined
}

/** Inserts a record of each and, unless it is refused, its delivery, which is due now. An existing record stays as it is. */
export const insertRecords = async (tx: Query, records: readonly NewRecord[], now: Date): Promise<void> => {
  await sql`
    with given as (
      select * from unnest(
        ${records.map(({ id }) => id)}::uuid[],
        ${records.map(({ eventId }) => eventId)}::uuid[],
        ${records.map(({ hookId }) => hookId)}::uuid[],
        ${records.map(({ refusal }) => refusal?.error ?? null)}::text[],
        ${records.map(({ refusal }) => refusal?.reasons ?? null)}::text[]
      ) as t (id, event_id, hook_id, refusal, reasons)
    ), recorded as (
      insert into hook_events
        (id, event_id, hook_id, company_id, mode, resource, action, about_name, delivery_error, reasons, created_at, updated_at)
      select g.id, g.event_id, g.hook_id, o.owner_id, o.mode, o.resource, o.action, o.about_name, g.refusal, g.reasons, ${now}::timestamptz,
        ${now}::timestamptz
      from given g join outbox o on o.id = g.event_id
      on conflict (event_id, hook_id) do nothing
      returning id, event_id, hook_id, delivery_error
    )
    insert into hook_deliveries (record_id, hook_id, sequence, bytes, next_attempt_at)
    select r.id, r.hook_id, coalesce(nullif(o.position, 0), o.sequence), octet_length(o.payload), ${now}::timestamptz
    from recorded r join outbox o on o.id = r.event_id where r.delivery_error is null`.execute(tx)
}
