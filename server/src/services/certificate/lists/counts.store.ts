import { certificateStates, limits, type Mode } from '@millseal/contract'
import { sql } from 'kysely'
import type { Query } from '../../../ports/database/database.ts'

type Counted = { readonly state: (typeof certificateStates)[number] | 'received'; readonly count: number }

/**
 * Up to one more than the limit each, so that the caller knows whether there are more; the accepted with those that wait.
 * The order makes the planner take the rows from indexes, which it reads alone.
 */
export const countByState = async (
  query: Query,
  { companyId, mode }: { readonly companyId: string; readonly mode: Mode },
): Promise<readonly Counted[]> => {
  const { rows } = await sql<Counted>`
    select s.state, (
      select count(*)::int from (
        select from certificates c where c.company_id = ${companyId}::uuid and c.mode = ${mode} and c.state = s.state
        order by c.id limit ${limits.countedPerState + 1}::int
      ) as counted
    ) as count
    from unnest(${certificateStates.filter((state) => state !== 'awaitingRelease')}::text[]) as s (state)
    union all
    select 'awaitingRelease', count(*)::int from (
      select from certificates c where c.company_id = ${companyId}::uuid and c.mode = ${mode} and c.awaits_release
      order by c.id limit ${limits.countedPerState + 1}::int
    ) as waiting
    union all
    select 'received', count(*)::int from (
      select from certificate_receivers r where r.company_id = ${companyId}::uuid and r.mode = ${mode}
      order by r.recorded_at limit ${limits.countedPerState + 1}::int
    ) as counted`.execute(query)
  return rows
}

type Counts = { readonly certificates: number; readonly received: number | null }

/** Up to one more than the limit each, from indexes alone. */
export const countAll = async (
  query: Query,
  { companyId, mode, receivedSince }: CountedCompany,
): Promise<Counts> => {
  const most = limits.countedPerState + 1
  const received = sql`(
      select count(*)::int from (
        select from certificate_receivers r where r.company_id = ${companyId}::uuid and r.mode = ${mode}
          and r.recorded_at > ${receivedSince}
        order by r.recorded_at limit ${most}::int
      ) as counted
    )`
  const { rows } = await sql<Counts>`
    select (
      select count(*)::int from (
        select from certificates c where c.company_id = ${companyId}::uuid and c.mode = ${mode}
        order by c.id limit ${most}::int
      ) as counted
    ) as certificates, ${receivedSince === undefined ? sql`null` : received} as received`.execute(query)
  return rows[0] ?? { certificates: 0, received: null }
}

export type CountedCompany = {
  readonly companyId: string
  readonly mode: Mode
  readonly receivedSince: Date | undefined
}
