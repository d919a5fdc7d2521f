import { sql } from 'kysely'
import { utcDay } from '../../../lib/utc-day.ts'
import type { Query, Transaction } from '../../../ports/database/database.ts'

/** A certificate waits for another one only if both choose the same, which is a row that is locked until the commit. */
const slots = 64

type Day = { readonly companyId: string; readonly now: Date }
export type CountedDay = Day & { readonly count: number }

const slotOf = (): number => Math.floor(Math.random() * slots)

const lockOf = (companyId: string) => sql`hashtextextended(${`certificate_quotas/${companyId}`}, 0)`

/**
 * Counts so many more certificates if the day has fewer, without those of transactions that are not committed, and nobody has or
 * waits for the lock. Keeps others from having the lock until the transaction ends. Returns whether it counted.
 */
export const countBelow = async (
  tx: Transaction,
  { companyId, now, count }: CountedDay,
  below: number,
): Promise<boolean> => {
  const day = utcDay(now)
  const { rows } = await sql`
    with day as materialized (
      select coalesce(sum(accepted), 0) as accepted from certificate_quotas
      where company_id = ${companyId} and day = ${day}::date
    ), gate as materialized (
      select case when accepted < ${below}::float8
        then pg_try_advisory_xact_lock_shared(${lockOf(companyId)}) else false end as is_open
      from day
    )
    insert into certificate_quotas (company_id, day, slot, accepted)
    select ${companyId}, ${day}::date, ${slotOf()}::smallint, ${count}::int from gate where is_open
    on conflict (company_id, day, slot) do update set accepted = certificate_quotas.accepted + excluded.accepted
    returning slot`.execute(tx)
  return rows.length > 0
}

/** Counts so many more certificates. Have the lock. */
export const countAccepted = async (
  tx: Transaction,
  { companyId, now, count }: CountedDay,
): Promise<void> => {
  await sql`
    insert into certificate_quotas (company_id, day, slot, accepted)
    values (${companyId}, ${utcDay(now)}::date, ${slotOf()}::smallint, ${count}::int)
    on conflict (company_id, day, slot) do update set accepted = certificate_quotas.accepted + excluded.accepted`.execute(
    tx,
  )
}

/** The number of the day, without those of other transactions that are not committed. */
export const sumAccepted = async (tx: Transaction, { companyId, now }: Day): Promise<number> => {
  const { rows } = await sql<{ accepted: number }>`
    select coalesce(sum(accepted), 0)::int as accepted from certificate_quotas
    where company_id = ${companyId} and day = ${utcDay(now)}::date`.execute(tx)
  return rows[0]?.accepted ?? 0
}

/** Waits for those who count this company's certificates. No other transaction counts them until this one ends. */
export const lockNumber = async (tx: Transaction, companyId: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(${lockOf(companyId)})`.execute(tx)
}

/** Deletes the numbers of the days before yesterday. */
export const eraseQuotas = async (query: Query, now: Date): Promise<void> => {
  await sql`delete from certificate_quotas where day < ${utcDay(now)}::date - 1`.execute(query)
}
