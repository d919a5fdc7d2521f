import { sql } from 'kysely'
import { utcDay } from '../../../lib/utc-day.ts'
import type { Query, Transaction } from '../../../ports/database/database.ts'

export type Demand = { readonly companyId: string; readonly wanted: number }

/**
 * Counts the deliveries that these companies want. Returns how many of the day were admitted before, per company. The
 * rows stay locked until the transaction ends.
 */
export const countWanted = async (
  tx: Transaction,
  demands: readonly Demand[],
  now: Date,
): Promise<ReadonlyMap<string, number>> => {
  const { rows } = await sql<{ companyId: string; before: number }>`
    insert into delivery_quotas as q (company_id, day, admitted)
      select company_id, ${utcDay(now)}::date, wanted from unnest(
        ${demands.map(({ companyId }) => companyId)}::uuid[],
        ${demands.map(({ wanted }) => wanted)}::int[]
      ) as t (company_id, wanted) order by company_id
    on conflict (company_id, day) do update set admitted = q.admitted + excluded.admitted
    returning company_id, admitted as before`.execute(tx)
  const wantedOf = new Map(demands.map(({ companyId, wanted }) => [companyId, wanted]))
  return new Map(rows.map(({ companyId, before }) => [companyId, before - (wantedOf.get(companyId) ?? 0)]))
}

/** Takes back what was counted but not admitted. */
export const uncount = async (
  tx: Transaction,
  { companyId, refused, now }: { readonly companyId: string; readonly refused: number; readonly now: Date },
): Promise<void> => {
  await sql`
    update delivery_quotas set admitted = admitted - ${refused}::int
    where company_id = ${companyId} and day = ${utcDay(now)}::date`.execute(tx)
}

/** Deletes the numbers of the days before yesterday. */
export const eraseDeliveryQuotas = async (query: Query, now: Date): Promise<void> => {
  await sql`delete from delivery_quotas where day < ${utcDay(now)}::date - 1`.execute(query)
}
