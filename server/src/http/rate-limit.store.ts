import { type Selectable, sql } from 'kysely'
import { type Query } from '../ports/database/database.ts'
import type { RateLimits } from '../ports/database/tables.ts'

export type Consumption = Pick<RateLimits, 'client' | 'bucket' | 'calls'>
export type Window = Selectable<RateLimits>

/**
 * Counts several buckets in one statement. The first call starts a window, and so does the first one after it ended.
 * Rows are locked in the order of their keys, so processes that count the same buckets cannot deadlock.
 */
export const countCalls = async (
  query: Query,
  consumptions: readonly Consumption[],
  times: { nowMs: number; windowMs: number },
): Promise<readonly Window[]> => {
  const now = new Date(times.nowMs)
  const expired = new Date(times.nowMs - times.windowMs)
  // The clocks of processes differ a little; a window further ahead is from before the clock was set back.
  const ahead = new Date(times.nowMs + times.windowMs)
  const isOver = sql`(r.window_start <= ${expired} or r.window_start > ${ahead})`
  const { rows } = await sql<Window>`
    insert into rate_limits as r (client, bucket, window_start, calls)
    select client, bucket, ${now}, calls
    from unnest(
      ${consumptions.map(({ client }) => client)}::text[],
      ${consumptions.map(({ bucket }) => bucket)}::text[],
      ${consumptions.map(({ calls }) => calls)}::int[]
    ) as t (client, bucket, calls)
    order by client, bucket
    on conflict (client, bucket) do update set
      calls = case when ${isOver} then excluded.calls else r.calls + excluded.calls end,
      window_start = case when ${isOver} then excluded.window_start else r.window_start end
    returning client, bucket, calls, window_start
  `.execute(query)
  return rows
}

export const deleteWindowsBefore = async (query: Query, before: Date): Promise<void> => {
  await query.deleteFrom('rateLimits').where('windowStart', '<', before).execute()
}
