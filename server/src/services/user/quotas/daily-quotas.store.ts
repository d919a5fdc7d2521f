import { limits } from '@millseal/contract'
import { sql } from 'kysely'
import type { Query, Transaction } from '../../../ports/database/database.ts'

/** What a company has a limited number of, each day in UTC, and what persons and VAT ids have in many days. */
export type Counted = 'certificates' | 'filed' | 'deliveries' | 'mails' | 'invitations' | 'companies'

/** As `2026-11-22`, in UTC. */
export type CountedDay = { readonly counted: Counted; readonly day: string }

export type Demand = { readonly companyId: string; readonly wanted: number }

/** A transaction waits for another one only if both choose the same, which is a row that is locked until the commit. */
const slots = 64

/** More than there are transactions at the same time: each needs a connection to the database. */
const atTheSameTime = 500

/** A day more than any number is read for. */
const lastingDays = limits.invitations.storedDays + 1

const slotOf = (): number => Math.floor(Math.random() * slots)

/**
 * Counts for companies that want at most a 500th of what the day has left, without what other transactions have not
 * committed: all of these together cannot exceed it. Nobody may have or wait for the lock of such a company, or gets it until
 * the transaction ends. Returns the companies, in lower case, for which it counted.
 */
export const countFarBelow = async (
  tx: Transaction,
  { counted, day }: CountedDay,
  demands: readonly Demand[],
  most: number,
): Promise<ReadonlySet<string>> => {
  const { rows } = await sql<{ companyId: string }>`
    with days as materialized (
      select company_id, wanted, (
        select coalesce(sum(used), 0) from daily_quotas q
        where q.company_id = t.company_id and q.day = ${day}::date and q.counted = ${counted}
      ) as used
      from unnest(
        ${demands.map(({ companyId }) => companyId)}::uuid[],
        ${demands.map(({ wanted }) => wanted)}::int[]
      ) as t (company_id, wanted)
    ), gates as materialized (
      select company_id, wanted, case when used + wanted * ${atTheSameTime}::float8 <= ${most}::float8
        then pg_try_advisory_xact_lock_shared(hashtextextended(${counted} || '/' || company_id, 0)) else false end as is_open
      from days
    )
    insert into daily_quotas as q (company_id, day, counted, slot, used)
    select company_id, ${day}::date, ${counted}, ${slotOf()}::smallint, wanted from gates where is_open order by company_id
    on conflict (company_id, day, counted, slot) do update set used = q.used + excluded.used
    returning company_id`.execute(tx)
  return new Set(rows.map(({ companyId }) => companyId))
}

/** Waits for those who count for this company. No other transaction does until this one ends. */
export const lockNumber = async (
  tx: Transaction,
  { counted }: { readonly counted: Counted },
  companyId: string,
): Promise<void> => {
  await sql`
    select pg_advisory_xact_lock(hashtextextended(${counted} || '/' || ${companyId}::uuid, 0))`.execute(tx)
}

/** The number of the day, without those of other transactions that are not committed. */
export const readNumber = async (
  query: Query,
  { counted, day }: CountedDay,
  companyId: string,
): Promise<{ readonly used: number; readonly isRefused: boolean }> => {
  const { rows } = await sql<{ used: number; isRefused: boolean }>`
    select coalesce(sum(used), 0)::float8 as used, coalesce(bool_or(is_refused), false) as is_refused from daily_quotas
    where company_id = ${companyId} and day = ${day}::date and counted = ${counted}`.execute(query)
  return rows[0] ?? { used: 0, isRefused: false }
}

/** The number of this day and of those after it, of the holder who has most. */
export const readNumberSince = async (
  query: Query,
  { counted, since }: { readonly counted: Counted; readonly since: string },
  holders: readonly string[],
): Promise<number> => {
  const { rows } = await sql<{ used: number }>`
    select sum(used)::float8 as used from daily_quotas
    where company_id = any(${[...holders]}::uuid[]) and day >= ${since}::date and counted = ${counted}
    group by company_id order by 1 desc limit 1`.execute(query)
  return rows[0]?.used ?? 0
}

/** Less than 0 gives back what was counted. Have the lock to count more. */
export const count = async (
  tx: Transaction,
  { counted, day }: CountedDay,
  { companyId, used, isRefused }: { companyId: string; used: number; isRefused: boolean },
): Promise<void> => {
  await sql`
    insert into daily_quotas as q (company_id, day, counted, slot, used, is_refused)
    values (${companyId}, ${day}::date, ${counted}, ${slotOf()}::smallint, ${used}::int, ${isRefused})
    on conflict (company_id, day, counted, slot)
      do update set used = q.used + excluded.used, is_refused = q.is_refused or excluded.is_refused`.execute(
    tx,
  )
}

/** Deletes the numbers of the days before yesterday; those of many days later. */
export const eraseQuotas = async (query: Query, today: string): Promise<void> => {
  await sql`
    delete from daily_quotas
    where day < ${today}::date - case when counted in ('invitations', 'companies') then ${lastingDays}::int else 1 end`.execute(
    query,
  )
}
