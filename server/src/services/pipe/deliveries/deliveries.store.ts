import type { Mode } from '@millseal/contract'
import { type Selectable, sql } from 'kysely'
import { type Query } from '../../../ports/database/database.ts'
import type { HookDeliveries, HookEvents, Hooks } from '../../../ports/database/tables.ts'

/** A delivery that belongs to this process for a while, with everything an attempt needs but the payload. */
export type ClaimedDelivery = Pick<Selectable<HookDeliveries>, 'recordId' | 'hookId' | 'tries' | 'bytes'> &
  Pick<Selectable<HookEvents>, 'eventId' | 'resource' | 'action'> &
  Pick<
    Selectable<Hooks>,
    | 'connectionUrl'
    | 'contentType'
    | 'enableSsl'
    | 'encryptedHeaders'
    | 'encryptedSecret'
    | 'encryptedPreviousSecret'
    | 'previousSecretUntil'
  > & { readonly claim: string; readonly mode: Mode; readonly isFailing: boolean }

export type Claiming = {
  readonly claim: string
  readonly now: Date
  readonly leaseUntil: Date
  /** Records whose attempts still run here: their lease ends if this process is stopped for longer. */
  readonly except: readonly string[]
  /** How many deliveries of healthy and of failing webhooks. */
  readonly limits: { readonly healthy: number; readonly failing: number }
  /** How many at once for one webhook, over all processes; one if it is failing or ordered. */
  readonly perHook: { readonly usual: number; readonly more: ReadonlyMap<string, number> }
  /** Limit of all payloads together, which may be exceeded by one payload. */
  readonly bytes: number
}

/**
 * Goes from webhook to webhook: those with fewer requests at the moment come first, so that the backlog of one does not
 * slow the others. Of an ordered webhook only the
 * first delivery that is left can be claimed. Processes that claim at the same time get different deliveries.
 */
export const claimDeliveries = async (query: Query, claiming: Claiming): Promise<ClaimedDelivery[]> => {
  const { claim, now, leaseUntil, except, limits, perHook, bytes } = claiming
  const { rows } = await sql<ClaimedDelivery>`
    with recursive waiting (hook_id) as (
      (select hook_id from hook_deliveries order by hook_id limit 1)
      union all
      select (select d.hook_id from hook_deliveries d where d.hook_id > w.hook_id order by d.hook_id limit 1)
      from waiting w where w.hook_id is not null
    ), open as (
      select h.id, h.ordered, h.failing_since is not null as failing, r.running,
        case when h.ordered or h.failing_since is not null then 1 else coalesce(m.at_once, ${perHook.usual}::int) end
          - r.running as free
      from waiting w join hooks h on h.id = w.hook_id
      left join unnest(${[...perHook.more.keys()]}::uuid[], ${[...perHook.more.values()]}::int[])
        as m (hook_id, at_once) on m.hook_id = h.id
      cross join lateral (
        select count(*)::int as running from hook_deliveries c
        where c.hook_id = h.id and c.claim is not null and c.next_attempt_at > ${now}
      ) as r
      where h.status = 'enabled'
    ), due as (
      select o.id as hook_id, o.failing, o.running, d.* from open o cross join lateral (
        select record_id, next_attempt_at, sequence, bytes from hook_deliveries
        where hook_id = o.id and next_attempt_at <= ${now} and not o.ordered
          and record_id <> all(${[...except]}::uuid[])
        order by next_attempt_at, sequence limit greatest(o.free, 0)
        for update skip locked
      ) as d
      union all
      select o.id, o.failing, o.running, d.* from open o cross join lateral (
        select record_id, next_attempt_at, sequence, bytes from hook_deliveries
        where hook_id = o.id and o.ordered order by sequence limit 1
      ) as d
      where d.next_attempt_at <= ${now} and d.record_id <> all(${[...except]}::uuid[])
    ), placed as (
      select *, running + row_number() over (partition by hook_id order by next_attempt_at, sequence) as place from due
    ), chosen as (
      select record_id,
        row_number() over (partition by failing order by place, next_attempt_at, sequence)
          <= case when failing then ${limits.failing}::int else ${limits.healthy}::int end as has_slot,
        sum(bytes) over (order by failing, place, next_attempt_at, sequence, record_id) - bytes < ${bytes}::bigint
          as fits
      from placed
    ), claimed as (
      update hook_deliveries d set claim = ${claim}::uuid, next_attempt_at = ${leaseUntil}
      from chosen c where d.record_id = c.record_id and c.has_slot and c.fits and d.next_attempt_at <= ${now}
      returning d.record_id, d.tries, d.bytes
    )
    select ${claim} as claim, c.record_id, e.event_id, e.hook_id, c.tries, c.bytes, e.mode, e.resource, e.action,
      h.connection_url, h.content_type, h.enable_ssl, h.failing_since is not null as is_failing, h.encrypted_headers,
      h.encrypted_secret, h.encrypted_previous_secret, h.previous_secret_until
    from claimed c join hook_events e on e.id = c.record_id join hooks h on h.id = e.hook_id`.execute(query)
  return rows
}

/** Makes a claimed delivery due again, for any process. */
export const releaseDelivery = async (
  query: Query,
  { recordId, claim }: ClaimedDelivery,
  now: Date,
): Promise<void> => {
  await query
    .updateTable('hookDeliveries')
    .set({ claim: null, nextAttemptAt: now })
    .where('recordId', '=', recordId)
    .where('claim', '=', claim)
    .execute()
}
