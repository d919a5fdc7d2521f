import { sql } from 'kysely'
import type { Query } from '../../../ports/database/database.ts'

export type WaitingWork = {
  readonly queue: 'events' | 'publishing' | 'deliveries' | 'mail-orders' | 'mails'
  readonly depth: number
  /** When the oldest was due, or is; null if nothing waits. */
  readonly dueAt: Date | null
}

/** The work of the relay that waits, in one statement. */
export const findWaitingWork = async (query: Query): Promise<WaitingWork[]> => {
  const { rows } = await sql<WaitingWork>`
    select 'events' as queue, count(*)::int as depth, min(occurred_at) as due_at from outbox where dispatched_at is null
    union all
    select 'publishing', count(*)::int, min(occurred_at) from outbox where published_at is null
    union all
    select 'deliveries', count(*)::int, min(next_attempt_at) from hook_deliveries
    union all
    select 'mail-orders', count(*)::int, min(e.occurred_at) from mail_orders o join outbox e on e.id = o.event_id
    union all
    select 'mails', count(*)::int, min(next_attempt_at) from mails where next_attempt_at is not null`.execute(
    query,
  )
  return rows
}
