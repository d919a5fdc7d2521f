import { sql } from 'kysely'
import type { Query, Transaction } from '../../../ports/database/database.ts'

/** A certificate waits for another one only if both choose the same, which is a row that is locked until the commit. */
const slots = 64

export type CountedDay = { readonly companyId: string; readonly now: Date }

/** Counts one more certificate. Returns the number of the day, without those of transactions that are not committed. */
export const countAccepted = async (tx: Transaction, { companyId, now }: CountedDay): Promise<number> => {
  const { rows } = await sql<{ accepted: number }>`
    with counted as (
      insert into certificate_quotas (company_id, day, slot, accepted)
      values (${companyId}, ${dayOf(now)}::date, ${Math.floor(Math.random() * slots)}::smallint, 1)
      on conflict (company_id, day, slot) do update set accepted = certificate_quotas.accepted + 1
      returning company_id, day, slot, accepted
    )
    select (c.accepted + coalesce(sum(q.accepted), 0))::int as accepted
    from counted c left join certificate_quotas q
      on q.company_id = c.company_id and q.day = c.day and q.slot <> c.slot
    group by c.accepted`.execute(tx)
  return rows[0]?.accepted ?? 1
}

/** The same without counting one more, for a look at what was committed since. */
export const sumAccepted = async (tx: Transaction, { companyId, now }: CountedDay): Promise<number> => {
  const { rows } = await sql<{ accepted: number }>`
    select coalesce(sum(accepted), 0)::int as accepted from certificate_quotas
    where company_id = ${companyId} and day = ${dayOf(now)}::date`.execute(tx)
  return rows[0]?.accepted ?? 0
}

/** Until the transaction ends, no other one counts a certificate of this company with this lock. */
export const lockNumber = async (tx: Transaction, companyId: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`certificate_quotas/${companyId}`}, 0))`.execute(
    tx,
  )
}

/** Deletes the numbers of the days before yesterday. */
export const eraseQuotas = async (query: Query, now: Date): Promise<void> => {
  await sql`delete from certificate_quotas where day < ${dayOf(now)}::date - 1`.execute(query)
}

const dayOf = (time: Date): string => time.toISOString().slice(0, 10)
