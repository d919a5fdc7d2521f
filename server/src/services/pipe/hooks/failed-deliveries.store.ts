import type { Mode } from '@millseal/contract'
import { sql } from 'kysely'
import type { Query } from '../../../ports/database/database.ts'

type Counted = {
  readonly hookIds: readonly string[]
  /** Undefined: both. */
  readonly mode: Mode | undefined
  readonly atMost: number
}

/** By webhook, the events whose delivery failed and that have not arrived since. */
export const countFailedDeliveries = async (
  query: Query,
  { hookIds, mode, atMost }: Counted,
): Promise<ReadonlyMap<string, number>> => {
  const { rows } = await sql<{ id: string; count: number }>`
    select h.id, counted.count from unnest(${[...hookIds]}::uuid[]) as h(id), lateral (
      select count(*)::int as count from (
        select from hook_events e
        where e.hook_id = h.id and not e.delivered and e.delivery_error is not null
          and (${mode ?? null}::text is null or e.mode = ${mode ?? null}::text)
        limit ${atMost}::int) failed) counted`.execute(query)
  return new Map(rows.map(({ id, count }) => [id, count]))
}
