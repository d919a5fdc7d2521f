import type { Mode } from '@millseal/contract'
import { sql } from 'kysely'
import type { Query } from '../../../ports/database/database.ts'

/** Limits the payloads in one answer: a certificate can be large. At least one event is read. */
const payloadBudgetBytes = 8 * 1_024 * 1_024

export type Stretch = {
  readonly companyId: string
  /** `mode/resource/action` of the events that the reader may see. */
  readonly heard: readonly string[]
  readonly after: number
  readonly limit: number
}

export type PlacedEvent = {
  readonly id: string
  readonly position: number
  readonly mode: Mode
  readonly resource: string
  readonly action: string
  readonly aboutName: string | null
  readonly occurredAt: Date
  readonly payload: Uint8Array
}

/** The position of the newest event of a company; 0 if it has none. */
export const findNewestPosition = async (query: Query, companyId: string): Promise<number> => {
  const { rows } = await sql<{ newest: number }>`
    select coalesce(max(position), 0)::float8 as newest from outbox
    where owner_id = ${companyId} and position > 0`.execute(query)
  return rows[0]?.newest ?? 0
}

/** The position that was given last, to whatever event. */
export const findLastGiven = async (query: Query): Promise<number> => {
  const { rows } = await sql<{ last: number }>`
    select (case when is_called then last_value else last_value - 1 end)::float8 as last from event_positions`.execute(
    query,
  )
  return rows[0]?.last ?? 0
}

/** Oldest first, up to `newest`. `isCut`: there are more up to there. */
export const findStretch = async (
  query: Query,
  { companyId, heard, after, limit, newest }: Stretch & { readonly newest: number },
): Promise<{ readonly events: readonly PlacedEvent[]; readonly isCut: boolean }> => {
  const { rows } = await sql<PlacedEvent & { readonly listed: number }>`
    with listed as (
      select id, position, octet_length(payload) as size from outbox
      where owner_id = ${companyId} and owner_kind = 'company'
        and position > 0 and position > ${after}::bigint and position <= ${newest}::bigint
        and concat_ws('/', mode, resource, action) = any(${[...heard]}::text[])
      order by position limit ${limit + 1}::int
    ), placed as (
      select id, row_number() over (order by position) as place, sum(size) over (order by position) - size as earlier
      from listed
    )
    select o.id, o.position::float8 as position, o.mode, o.resource, o.action, o.about_name, o.occurred_at, o.payload,
      (select count(*)::int from listed) as listed
    from placed p join outbox o on o.id = p.id
    where p.place <= ${limit}::int and p.earlier < ${payloadBudgetBytes}::bigint
    order by o.position`.execute(query)
  return { events: rows, isCut: rows.length < (rows[0]?.listed ?? 0) }
}
