import type { Mode } from '@millseal/contract'
import { sql } from 'kysely'
import type { Page } from '../../../http/page.ts'
import type { Query } from '../../../ports/database/database.ts'
import { tellQueued } from '../relay/outbox.store.ts'

export type StoredRecord = {
  readonly id: string
  readonly eventId: string
  readonly hookId: string
  readonly connectionUrl: string
  readonly mode: Mode
  readonly resource: string
  readonly action: string
  readonly delivered: boolean
  readonly attempts: number
  readonly deliveryError: string | undefined
  readonly errorStatus: number | undefined
  readonly nextAttemptAt: Date | undefined
  readonly payloadBytes: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

export type StoredAttempt = {
  readonly startedAt: Date
  readonly durationMs: number
  readonly statusCode: number | undefined
  readonly error: string | undefined
  readonly answer: Uint8Array | undefined
}

type RecordTables = {
  outbox: {
    id: string
    sequence: number
    owner_kind: 'user' | 'company'
    owner_id: string
    mode: Mode
    resource: string
    action: string
    payload: Uint8Array
    occurred_at: Date
    dispatched_at: Date | null
    published_at: Date | null
  }
  hooks: { id: string; connection_url: string }
  hook_events: {
    id: string
    event_id: string
    hook_id: string
    company_id: string
    mode: Mode
    resource: string
    action: string
    delivered: boolean
    attempts: number
    delivery_error: string | null
    error_status: number | null
    created_at: Date
    updated_at: Date
  }
  hook_deliveries: {
    record_id: string
    hook_id: string
    sequence: number
    bytes: number
    tries: number
    next_attempt_at: Date
    claim: string | null
  }
  hook_attempts: {
    id: string
    record_id: string
    started_at: Date
    duration_ms: number
    status_code: number | null
    error: string | null
    answer: Uint8Array | null
  }
}

const records = (query: Query) =>
  query
    .withTables<RecordTables>()
    .selectFrom('hook_events as e')
    .innerJoin('hooks as h', 'h.id', 'e.hook_id')
    .innerJoin('outbox as o', 'o.id', 'e.event_id')
    .leftJoin('hook_deliveries as d', 'd.record_id', 'e.id')
    .selectAll('e')
    .select(['h.connection_url', 'd.next_attempt_at'])
    .select(sql<number>`octet_length(o.payload)`.as('payload_bytes'))

export type RecordFilter = {
  readonly companyId: string
  readonly mode?: Mode | undefined
  readonly hookId?: string | undefined
  readonly delivered?: boolean | undefined
  readonly resource?: string | undefined
  readonly action?: string | undefined
}

/** Newest first. */
export const findRecordPage = async (
  query: Query,
  { companyId, mode, hookId, delivered, resource, action }: RecordFilter,
  { limit, after }: Page,
): Promise<StoredRecord[]> => {
  const rows = await records(query)
    .where('e.company_id', '=', companyId)
    .$if(mode !== undefined, (some) => some.where('e.mode', '=', mode ?? null))
    .$if(hookId !== undefined, (some) => some.where('e.hook_id', '=', hookId ?? null))
    .$if(delivered !== undefined, (some) => some.where('e.delivered', '=', delivered ?? null))
    .$if(resource !== undefined, (some) => some.where('e.resource', '=', resource ?? null))
    .$if(action !== undefined, (some) => some.where('e.action', '=', action ?? null))
    .$if(after !== undefined, (some) => some.where('e.id', '<', after ?? null))
    .orderBy('e.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toRecord)
}

export const findRecord = async (
  query: Query,
  { id, companyId }: { readonly id: string; readonly companyId: string },
): Promise<StoredRecord | undefined> => {
  const row = await records(query)
    .where('e.id', '=', id)
    .where('e.company_id', '=', companyId)
    .executeTakeFirst()
  return row && toRecord(row)
}

/** By the ids of events. */
export const findPayloads = async (
  query: Query,
  ids: readonly string[],
): Promise<Map<string, Uint8Array>> => {
  const rows = await query
    .withTables<RecordTables>()
    .selectFrom('outbox')
    .select(['id', 'payload'])
    .where('id', '=', sql<string>`any(${[...new Set(ids)]}::uuid[])`)
    .execute()
  return new Map(rows.map(({ id, payload }) => [id, payload]))
}

/** Oldest first. */
export const findAttempts = async (query: Query, recordId: string): Promise<StoredAttempt[]> => {
  const rows = await query
    .withTables<RecordTables>()
    .selectFrom('hook_attempts')
    .selectAll()
    .where('record_id', '=', recordId)
    .orderBy('started_at')
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    startedAt: row.started_at,
    durationMs: row.duration_ms,
    statusCode: row.status_code ?? undefined,
    error: row.error ?? undefined,
    answer: row.answer ?? undefined,
  }))
}

export type NewRecord = {
  readonly id: string
  readonly eventId: string
  readonly hookId: string
  readonly companyId: string
  readonly mode: Mode
  readonly resource: string
  readonly action: string
}

/** An event that nobody but this hook hears of, with its record, to be delivered at once. */
export const insertTestEvent = async (
  tx: Query,
  { id, eventId, hookId, companyId, mode, resource, action, payload }: NewRecord & { payload: Uint8Array },
  now: Date,
): Promise<void> => {
  const tables = tx.withTables<RecordTables>()
  await tables
    .insertInto('outbox')
    .columns([
      'id',
      'owner_kind',
      'owner_id',
      'mode',
      'resource',
      'action',
      'payload',
      'occurred_at',
      'dispatched_at',
      'published_at',
    ])
    .expression(
      sql`select ${eventId}::uuid, 'company', ${companyId}::uuid, ${mode}, ${resource}, ${action}, ${payload}::bytea, ${now}::timestamptz, ${now}::timestamptz, ${now}::timestamptz`,
    )
    .execute()
  await tables
    .insertInto('hook_events')
    .columns([
      'id',
      'event_id',
      'hook_id',
      'company_id',
      'mode',
      'resource',
      'action',
      'created_at',
      'updated_at',
    ])
    .expression(
      sql`select ${id}::uuid, ${eventId}::uuid, ${hookId}::uuid, ${companyId}::uuid, ${mode}, ${resource}, ${action}, ${now}::timestamptz, ${now}::timestamptz`,
    )
    .execute()
  await queueAgain(tx, { recordId: id, now })
}

/** Due now and at the start of the schedule; one that is being attempted at this moment stays as it is. */
export const queueAgain = async (
  tx: Query,
  { recordId, now }: { readonly recordId: string; readonly now: Date },
): Promise<void> => {
  await sql`
    insert into hook_deliveries (record_id, hook_id, sequence, bytes, next_attempt_at)
      select e.id, e.hook_id, o.sequence, octet_length(o.payload), ${now}::timestamptz
      from hook_events e join outbox o on o.id = e.event_id where e.id = ${recordId}
    on conflict (record_id) do update set tries = 0, next_attempt_at = excluded.next_attempt_at
      where hook_deliveries.claim is null or hook_deliveries.next_attempt_at <= excluded.next_attempt_at`.execute(
    tx,
  )
  await tellQueued(tx)
}

/** Erases events and everything that is known of their delivery. */
export const eraseEventsBefore = async (query: Query, before: Date): Promise<void> => {
  await sql`
    delete from outbox where occurred_at < ${before} and dispatched_at is not null and published_at is not null`.execute(
    query,
  )
}

type RecordRow = RecordTables['hook_events'] & {
  connection_url: string
  next_attempt_at: Date | null
  payload_bytes: number
}

const toRecord = (row: RecordRow): StoredRecord => ({
  id: row.id,
  eventId: row.event_id,
  hookId: row.hook_id,
  connectionUrl: row.connection_url,
  mode: row.mode,
  resource: row.resource,
  action: row.action,
  delivered: row.delivered,
  attempts: row.attempts,
  deliveryError: row.delivery_error ?? undefined,
  errorStatus: row.error_status ?? undefined,
  nextAttemptAt: row.next_attempt_at ?? undefined,
  payloadBytes: row.payload_bytes,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})
