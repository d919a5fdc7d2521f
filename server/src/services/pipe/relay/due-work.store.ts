import { sql } from 'kysely'
import type { Query } from '../../../ports/database/database.ts'

export type Work = 'dispatching' | 'publishing' | 'delivering' | 'writing' | 'sending'

type Found = {
  readonly due: readonly Work[]
  /** A retry is later than any schedule says: it was planned by a clock that was ahead. */
  readonly hasLate: boolean
}

/** Which kinds of work are due now: one statement, so that an idle process costs the database next to nothing. */
export const findDueWork = async (
  query: Query,
  { now, latest }: { readonly now: Date; readonly latest: Date },
): Promise<Found> => {
  const { rows } = await sql<Record<Work, boolean> & Pick<Found, 'hasLate'>>`
    with recursive waiting (hook_id) as (
      (select hook_id from hook_deliveries order by hook_id limit 1)
      union all
      select (select d.hook_id from hook_deliveries d where d.hook_id > w.hook_id order by d.hook_id limit 1)
      from waiting w where w.hook_id is not null
    )
    select
      exists (select from outbox where dispatched_at is null) as dispatching,
      exists (select from outbox where published_at is null) as publishing,
      exists (
        select from waiting w join hook_deliveries d on d.hook_id = w.hook_id where d.next_attempt_at <= ${now}
      ) as delivering,
      exists (select from mail_orders) as writing,
      exists (select from mails where next_attempt_at <= ${now}) as sending,
      exists (
        select from waiting w join hook_deliveries d on d.hook_id = w.hook_id where d.next_attempt_at > ${latest}
      ) or exists (select from mails where next_attempt_at > ${latest}) as "hasLate"`.execute(query)
  const { hasLate = false, ...due } = rows[0] ?? {}
  const isDue: Partial<Record<Work, boolean>> = due
  return { hasLate, due: (Object.keys(due) as Work[]).filter((work) => isDue[work] === true) }
}
