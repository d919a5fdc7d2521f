import type { Mode, TopicOwner } from '@millseal/contract'
import { sql } from 'kysely'
import { commitLater } from '../../../ports/database/commit-later.ts'
import type { Query } from '../../../ports/database/database.ts'

/** Notified with nothing by whatever writes an event (migration 0015), and with `queued` by `tellQueued`. */
export const outboxChannel = 'millseal_outbox'

const queued = 'queued'

/** A delivery or a mail is due that no new event stands behind: somebody wants it tried again. */
export const tellQueued = async (tx: Query): Promise<void> => {
  await sql`select pg_notify(${outboxChannel}, ${queued})`.execute(tx)
}

/** Whether an event is all that is new: then nothing of it is queued before it was dispatched. */
export const isOnlyAnEvent = (news: string | undefined): boolean => news === ''

export type OutboxEntry = {
  readonly id: string
  readonly ownerKind: TopicOwner
  readonly ownerId: string
  readonly mode: Mode
  readonly resource: string
  readonly action: string
}

type EntryRow = {
  id: string
  owner_kind: TopicOwner
  owner_id: string
  mode: Mode
  resource: string
  action: string
}

/** The order within an owner is kept by doing each thing in one transaction at a time, whichever process it is of. */
const locks = { dispatch: 'millseal outbox dispatch', publish: 'millseal outbox publish' } as const

/** False while another process is at it; held until the transaction ends, however it ends. */
export const tryToHold = async (tx: Query, what: keyof typeof locks): Promise<boolean> => {
  const { rows } = await sql<{ held: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${locks[what]}, 0)) as held`.execute(tx)
  return rows[0]?.held === true
}

/**
 * In the order they were written, as far as they are committed: one that commits late is found late, and never skipped.
 * What was caused by an event that somebody has seen was written after it.
 */
export const findUndispatched = async (tx: Query, limit: number): Promise<OutboxEntry[]> => {
  const { rows } = await sql<EntryRow>`
    select id, owner_kind, owner_id, mode, resource, action from outbox
    where dispatched_at is null order by sequence limit ${limit}`.execute(tx)
  return rows.map(toEntry)
}

export const markDispatched = async (tx: Query, ids: readonly string[], now: Date): Promise<void> => {
  await sql`update outbox set dispatched_at = ${now} where id = any(${[...ids]}::uuid[])`.execute(tx)
}

export type UnpublishedEntry = OutboxEntry & { readonly payload: Uint8Array }

/** As many as fit; those of owners who wait are left for later. */
export const findUnpublished = async (
  tx: Query,
  {
    limit,
    bytes,
    waiting,
  }: { readonly limit: number; readonly bytes: number; readonly waiting: readonly string[] },
): Promise<UnpublishedEntry[]> => {
  const { rows } = await sql<EntryRow & { payload: Uint8Array }>`
    select id, owner_kind, owner_id, mode, resource, action, payload from (
      select *, sum(octet_length(payload)) over (order by sequence) - octet_length(payload) as before from (
        select * from outbox where published_at is null and owner_id <> all(${[...waiting]}::uuid[])
        order by sequence limit ${limit}
      ) as oldest
    ) as fitting where before < ${bytes} order by sequence`.execute(tx)
  return rows.map((row) => ({ ...toEntry(row), payload: row.payload }))
}

/** Undone by a crash, they are published once more, under the same ids. */
export const markPublished = async (tx: Query, ids: readonly string[], now: Date): Promise<void> => {
  await sql`
    update outbox set published_at = ${now} where id = any(${[...ids]}::uuid[])
    returning ${commitLater}`.execute(tx)
}

export type Match = {
  readonly eventId: string
  readonly hookId: string
  readonly companyId: string
  readonly mode: Mode
  readonly resource: string
  readonly action: string
}

/** Which hooks listen to which of these events. A hook that is found cannot be deleted before the transaction ends. */
export const findListeners = async (tx: Query, eventIds: readonly string[]): Promise<Match[]> => {
  const { rows } = await sql<Match>`
    select o.id as "eventId", h.id as "hookId", h.company_id as "companyId", o.mode, o.resource, o.action
    from outbox o
    join hooks h on h.company_id = o.owner_id and h.status = 'enabled' and h.ended_at is null
      and concat_ws('/', o.mode, o.resource, o.action) = any(h.listens)
    where o.id = any(${[...eventIds]}::uuid[]) and o.owner_kind = 'company'
    order by o.sequence, h.id
    for key share of h`.execute(tx)
  return rows
}

/** A record of each, and its delivery, due now. One that is there already stays as it is. */
export const insertRecords = async (
  tx: Query,
  records: readonly (Match & { readonly id: string })[],
  now: Date,
): Promise<void> => {
  await sql`
    with given as (
      select * from unnest(
        ${records.map(({ id }) => id)}::uuid[],
        ${records.map(({ eventId }) => eventId)}::uuid[],
        ${records.map(({ hookId }) => hookId)}::uuid[]
      ) as t (id, event_id, hook_id)
    ), recorded as (
      insert into hook_events
        (id, event_id, hook_id, company_id, mode, resource, action, created_at, updated_at)
      select g.id, g.event_id, g.hook_id, o.owner_id, o.mode, o.resource, o.action, ${now}::timestamptz, ${now}::timestamptz
      from given g join outbox o on o.id = g.event_id
      on conflict (event_id, hook_id) do nothing
      returning id, event_id, hook_id
    )
    insert into hook_deliveries (record_id, hook_id, sequence, bytes, next_attempt_at)
    select r.id, r.hook_id, o.sequence, octet_length(o.payload), ${now}::timestamptz
    from recorded r join outbox o on o.id = r.event_id`.execute(tx)
}

/** Of companies that are gone: what is on its way to their hooks still arrives, and nothing comes after it. */
export const endHooks = async (tx: Query, companyIds: readonly string[], now: Date): Promise<void> => {
  await sql`
    update hooks set ended_at = ${now} where company_id = any(${[...companyIds]}::uuid[])`.execute(tx)
}

const toEntry = (row: EntryRow): OutboxEntry => ({
  id: row.id,
  ownerKind: row.owner_kind,
  ownerId: row.owner_id,
  mode: row.mode,
  resource: row.resource,
  action: row.action,
})
