import { sql } from 'kysely'
import type { Query } from '../ports/database/database.ts'

export type Consumption = { readonly client: string; readonly bucket: string; readonly calls: number }
export type Window = {
  readonly client: string
  readonly bucket: string
  readonly calls: number
  readonly startedMs: number
}

type RateLimitTables = { rate_limits: { client: string; bucket: string; window_start: Date; calls: number } }

/**
 * Counts several buckets in one statement. A window starts with its first call and is begun anew when it is over. Rows
 * are taken in key order, so that two processes counting the same buckets never wait for each other in a circle.
 */
export const countCalls = async (
  query: Query,
  consumptions: readonly Consumption[],
  times: { nowMs: number; windowMs: number },
): Promise<readonly Window[]> => {
  const now = new Date(times.nowMs)
  const expired = new Date(times.nowMs - times.windowMs)
  const rows = await sql<{ client: string; bucket: string; calls: number; window_start: Date }>`
    insert into rate_limits as r (client, bucket, window_start, calls)
    select client, bucket, ${now}, calls
    from unnest(
      ${consumptions.map(({ client }) => client)}::text[],
      ${consumptions.map(({ bucket }) => bucket)}::text[],
      ${consumptions.map(({ calls }) => calls)}::int[]
    ) as t (client, bucket, calls)
    order by client, bucket
    on conflict (client, bucket) do update set
      calls = case when r.window_start <= ${expired} then excluded.calls else r.calls + excluded.calls end,
      window_start = case when r.window_start <= ${expired} then excluded.window_start else r.window_start end
    returning client, bucket, calls, window_start
  `.execute(query)
  return rows.rows.map(({ client, bucket, calls, window_start }) => ({
    client,
    bucket,
    calls,
    startedMs: window_start.getTime(),
  }))
}

export const deleteWindowsBefore = async (query: Query, beforeMs: number): Promise<void> => {
  await query
    .withTables<RateLimitTables>()
    .deleteFrom('rate_limits')
    .where('window_start', '<', new Date(beforeMs))
    .execute()
}
