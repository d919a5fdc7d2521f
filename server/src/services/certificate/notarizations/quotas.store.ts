import { sql } from 'kysely'
import type { Query, Transaction } from '../../../ports/database/database.ts'

/** Counts one more certificate. The row stays locked until the transaction ends. Returns the number of the day. */
export const countAccepted = async (tx: Transaction, companyId: string, now: Date): Promise<number> => {
  const { rows } = await sql<{ accepted: number }>`
    insert into certificate_quotas (company_id, day, accepted) values (${companyId}, ${dayOf(now)}::date, 1)
    on conflict (company_id, day) do update set accepted = certificate_quotas.accepted + 1
    returning accepted`.execute(tx)
  return rows[0]?.accepted ?? 1
}

/** Deletes the numbers of the days before yesterday. */
export const eraseQuotas = async (query: Query, now: Date): Promise<void> => {
  await sql`delete from certificate_quotas where day < ${dayOf(now)}::date - 1`.execute(query)
}

const dayOf = (time: Date): string => time.toISOString().slice(0, 10)
