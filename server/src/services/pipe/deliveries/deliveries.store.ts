import type { Mode } from '@millseal/contract'
import { sql } from 'kysely'
import type { Query } from '../../../ports/database/database.ts'

/** A delivery that this process has to itself for a while, with what an attempt needs, except the payload. */
export type ClaimedDelivery = {
  readonly claim: string
  readonly recordId: string
  readonly eventId: string
  readonly hookId: string
  readonly tries: number
  readonly bytes: number
  readonly mode: Mode
  readonly resource: string
  readonly action: string
  readonly connectionUrl: string
  readonly contentType: string
  readonly enableSSL: boolean
  readonly isFailing: boolean
  readonly sealedHeaders: Uint8Array
  readonly sealedSecret: Uint8Array | null
  readonly sealedPreviousSecret: Uint8Array | null
  readonly previousSecretUntil: Date | null
}

export type Claiming = {
  readonly claim: string
  readonly now: Date
  readonly leaseUntil: Date
  /** How many more, of hooks that are well and of hooks that are failing. */
  readonly room: { readonly healthy: number; readonly failing: number }
  /** How many at once for one hook, over all processes. A failing or an ordered one has one. */
  readonly perHook: number
  /** Payloads of about this size together. */
  readonly bytes: number
}

/**
 * Goes from hook to hook, so that the backlog of one costs the others nothing. The order of an ordered hook is that of
 * its events: the first that is not settled, and no other. Whoever claims at the same time gets others.
 */
export const claimDeliveries = async (query: Query, asked: Claiming): Promise<ClaimedDelivery[]> => {
  const { claim, now, leaseUntil, room, perHook, bytes } = asked
  const { rows } = await sql<ClaimedDelivery>`
    with recursive waiting (hook_id) as (
      (select hook_id from hook_deliveries order by hook_id limit 1)
      union all
      select (select d.hook_id from hook_deliveries d where d.hook_id > w.hook_id order by d.hook_id limit 1)
      from waiting w where w.hook_id is not null
    ), open as (
      select h.id, h.ordered, h.failing_since is not null as failing,
        case when h.ordered or h.failing_since is not null then 1 else ${perHook}::int end - (
          select count(*)::int from hook_deliveries c
          where c.hook_id = h.id and c.claim is not null and c.next_attempt_at > ${now}
        ) as room
      from waiting w join hooks h on h.id = w.hook_id where h.status = 'enabled'
    ), due as (
      select o.failing, d.* from open o cross join lateral (
        select record_id, next_attempt_at, sequence, bytes from hook_deliveries
        where hook_id = o.id and next_attempt_at <= ${now} and not o.ordered
        order by next_attempt_at, sequence limit greatest(o.room, 0)
        for update skip locked
      ) as d
      union all
      select o.failing, d.* from open o cross join lateral (
        select record_id, next_attempt_at, sequence, bytes from hook_deliveries
        where hook_id = o.id and o.ordered order by sequence limit 1
      ) as d
      where d.next_attempt_at <= ${now}
    ), chosen as (
      select record_id,
        row_number() over (partition by failing order by next_attempt_at, sequence)
          <= case when failing then ${room.failing}::int else ${room.healthy}::int end as has_room,
        sum(bytes) over (order by failing, next_attempt_at, sequence, record_id) - bytes < ${bytes}::bigint as fits
      from due
    ), claimed as (
      update hook_deliveries d set claim = ${claim}::uuid, next_attempt_at = ${leaseUntil}
      from chosen c where d.record_id = c.record_id and c.has_room and c.fits and d.next_attempt_at <= ${now}
      returning d.record_id, d.tries, d.bytes
    )
    select ${claim} as claim, c.record_id as "recordId", e.event_id as "eventId", e.hook_id as "hookId", c.tries,
      c.bytes, e.mode, e.resource, e.action, h.connection_url as "connectionUrl", h.content_type as "contentType",
      h.enable_ssl as "enableSSL", h.failing_since is not null as "isFailing", h.sealed_headers as "sealedHeaders",
      h.sealed_secret as "sealedSecret", h.sealed_previous_secret as "sealedPreviousSecret",
      h.previous_secret_until as "previousSecretUntil"
    from claimed c join hook_events e on e.id = c.record_id join hooks h on h.id = e.hook_id`.execute(query)
  return rows
}

/** What was claimed and not attempted is due at once. */
export const giveBack = async (
  query: Query,
  recordIds: readonly string[],
  claim: string,
  now: Date,
): Promise<void> => {
  await sql`
    update hook_deliveries set claim = null, next_attempt_at = ${now}
    where record_id = any(${[...recordIds]}::uuid[]) and claim = ${claim}::uuid`.execute(query)
}
