import type { Mode } from '@millseal/contract'
import {
  type Expression,
  type ExpressionBuilder,
  type ExpressionWrapper,
  type Selectable,
  sql,
  type SqlBool,
} from 'kysely'
import type { Page } from '../../../http/page.ts'
import { eraseBatch } from '../../../lib/erase.ts'
import { isUuid } from '../../../lib/uuid.ts'
import { type Query } from '../../../ports/database/database.ts'
import type { DB, HookAttempts, HookEvents, Outbox } from '../../../ports/database/tables.ts'
import { notifyQueued } from './outbox.store.ts'

/** The record of one event for one webhook, with what its answer shows of webhook, delivery and event. */
export type StoredRecord = Selectable<HookEvents> & {
  readonly mode: Mode
  readonly connectionUrl: string
  readonly nextAttemptAt: Date | null
  readonly payloadBytes: number
}

export type StoredAttempt = Selectable<HookAttempts>

const records = (query: Query) =>
  query
    .selectFrom('hookEvents as e')
    .innerJoin('hooks as h', 'h.id', 'e.hookId')
    .innerJoin('outbox as o', 'o.id', 'e.eventId')
    .leftJoin('hookDeliveries as d', 'd.recordId', 'e.id')
    .selectAll('e')
    .select(['h.connectionUrl', 'd.nextAttemptAt'])
    .select(sql<number>`octet_length(o.payload)`.as('payloadBytes'))
    .$narrowType<{ mode: Mode }>()

export type RecordFilter = {
  readonly companyId: string
  readonly mode?: Mode | undefined
  readonly hookId?: string | undefined
  readonly delivered?: boolean | undefined
  readonly resource?: string | undefined
  readonly action?: string | undefined
  readonly aboutId?: string | undefined
  /** The id of an event, or beginnings of words of what it is about. */
  readonly text?: string | undefined
}

/** Newest first. */
export const findRecordPage = (
  query: Query,
  filter: RecordFilter,
  { limit, after }: Page,
): Promise<StoredRecord[]> =>
  records(query)
    .where(narrowedTo(filter))
    .where((of) => of.and(after === undefined ? [] : [of('e.id', '<', after)]))
    .orderBy('e.id', 'desc')
    .limit(limit)
    .execute()

/** Counts no further than `atMost`. */
export const countRecords = async (query: Query, filter: RecordFilter, atMost: number): Promise<number> => {
  const counted = query.selectFrom('hookEvents as e').select('e.id').where(narrowedTo(filter)).limit(atMost)
  const { count } = await query
    .selectFrom(counted.as('counted'))
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow()
  return count
}

type Recorded = DB & { e: HookEvents }

const narrowedTo =
  ({ companyId, mode, hookId, delivered, resource, action, aboutId, text }: RecordFilter) =>
  (of: ExpressionBuilder<Recorded, 'e'>): ExpressionWrapper<Recorded, 'e', SqlBool> => {
    const conditions: Expression<SqlBool>[] = [
      of.and({
        'e.companyId': companyId,
        'e.mode': mode,
        'e.hookId': hookId,
        'e.resource': resource,
        'e.action': action,
      }),
    ]
    // As the condition of an index has it.
    if (delivered !== undefined)
      conditions.push(delivered ? sql<SqlBool>`e.delivered` : sql<SqlBool>`not e.delivered`)
    if (aboutId !== undefined)
      conditions.push(
        of(
          'e.eventId',
          'in',
          of.selectFrom('outbox').select('outbox.id').where('outbox.aboutId', '=', aboutId),
        ),
      )
    const eventId = text?.trim().toLowerCase()
    if (isUuid(eventId)) conditions.push(of('e.eventId', '=', eventId))
    else if (text !== undefined) conditions.push(hasWords(companyId, text))
    return of.and(conditions)
  }

// Found first, by their index: a plan for all values does not know whether many records have the words.
const hasWords = (companyId: string, text: string) => sql<SqlBool>`e.id = any(array(
  select id from hook_events
  where about_name is not null and company_words(company_id, about_name) @@ company_query(${companyId}, ${text})
))`

export const findRecord = (
  query: Query,
  { id, companyId }: { readonly id: string; readonly companyId: string },
): Promise<StoredRecord | undefined> =>
  records(query).where('e.id', '=', id).where('e.companyId', '=', companyId).executeTakeFirst()

export type EventContent = Pick<Selectable<Outbox>, 'payload' | 'aboutId'>

/** By the ids of events. */
export const findContents = async (
  query: Query,
  ids: readonly string[],
): Promise<Map<string, EventContent>> => {
  const rows = await query
    .selectFrom('outbox')
    .select(['id', 'payload', 'aboutId'])
    .where('id', '=', sql<string>`any(${[...new Set(ids)]}::uuid[])`)
    .execute()
  return new Map(rows.map(({ id, ...content }) => [id, content]))
}

/** Oldest first. */
export const findAttempts = (query: Query, recordId: string): Promise<StoredAttempt[]> =>
  query
    .selectFrom('hookAttempts')
    .selectAll()
    .where('recordId', '=', recordId)
    .orderBy('startedAt')
    .orderBy('id')
    .execute()

export type NewRecord = {
  readonly id: string
  readonly eventId: string
  readonly hookId: string
  readonly companyId: string
  readonly mode: Mode
  readonly resource: string
  readonly action: string
  readonly payload: Uint8Array
}

/** Inserts an event that only this webhook gets, with its record, to be delivered at once. */
export const insertTestEvent = async (
  tx: Query,
  { payload, ...record }: NewRecord,
  now: Date,
): Promise<void> => {
  const { eventId, companyId, mode, resource, action } = record
  await tx
    .insertInto('outbox')
    .values({
      id: eventId,
      ownerKind: 'company',
      ownerId: companyId,
      mode,
      resource,
      action,
      payload,
      occurredAt: now,
      dispatchedAt: now,
      publishedAt: now,
      position: 0,
    })
    .execute()
  await tx
    .insertInto('hookEvents')
    .values({ ...record, createdAt: now, updatedAt: now })
    .execute()
  await queueAgain(tx, { recordId: record.id, now })
}

/** Makes the delivery due now, at the start of the schedule, unless an attempt is running. */
export const queueAgain = async (
  tx: Query,
  { recordId, now }: { readonly recordId: string; readonly now: Date },
): Promise<void> => {
  await sql`
    insert into hook_deliveries (record_id, hook_id, sequence, bytes, next_attempt_at)
      select e.id, e.hook_id, coalesce(nullif(o.position, 0), o.sequence), octet_length(o.payload), ${now}::timestamptz
      from hook_events e join outbox o on o.id = e.event_id where e.id = ${recordId}
    on conflict (record_id) do update set tries = 0, next_attempt_at = excluded.next_attempt_at
      where hook_deliveries.claim is null or hook_deliveries.next_attempt_at <= excluded.next_attempt_at`.execute(
    tx,
  )
  await notifyQueued(tx)
}

export type FailedSince = {
  readonly hookId: string
  /** Undefined: both. */
  readonly mode: Mode | undefined
  readonly since: Date
  readonly now: Date
}

const failedSince = ({ hookId, mode, since }: Omit<FailedSince, 'now'>) => sql`
  from hook_events e join outbox o on o.id = e.event_id
  where e.hook_id = ${hookId} and e.created_at >= ${since} and not e.delivered and e.delivery_error is not null
    and (${mode ?? null}::text is null or e.mode = ${mode ?? null}::text)`

export const countFailed = async (tx: Query, failed: Omit<FailedSince, 'now'>): Promise<number> => {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count ${failedSince(failed)}`.execute(
    tx,
  )
  return rows[0]?.count ?? 0
}

/** `queueAgain` for what failed since, the oldest first: returns how many. */
export const queueFailedAgain = async (
  tx: Query,
  { now, ...failed }: FailedSince,
  limit: number,
): Promise<number> => {
  const { rows } = await sql<{ recordId: string }>`
    insert into hook_deliveries (record_id, hook_id, sequence, bytes, next_attempt_at)
      select e.id, e.hook_id, coalesce(nullif(o.position, 0), o.sequence), octet_length(o.payload), ${now}::timestamptz
      ${failedSince(failed)} order by o.sequence limit ${limit}::int
    on conflict (record_id) do update set tries = 0, next_attempt_at = excluded.next_attempt_at
      where hook_deliveries.claim is null or hook_deliveries.next_attempt_at <= excluded.next_attempt_at
    returning record_id`.execute(tx)
  if (rows.length > 0) await notifyQueued(tx)
  return rows.length
}

/** Deletes events with their records and attempts. Returns how many, at most a batch. */
export const eraseEventsBefore = async (query: Query, before: Date): Promise<number> => {
  const { numDeletedRows } = await query
    .deleteFrom('outbox')
    .where('id', 'in', (old) =>
      old
        .selectFrom('outbox')
        .select('id')
        .where('occurredAt', '<', before)
        .where('dispatchedAt', 'is not', null)
        .where('publishedAt', 'is not', null)
        .orderBy('occurredAt')
        .limit(eraseBatch),
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
