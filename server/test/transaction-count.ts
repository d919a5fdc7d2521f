import { sql } from 'kysely'
import type { Database } from '../src/ports/database/database.ts'

/** How many transactions PostgreSQL has ended in all databases; it counts one up to a second after its end. */
export const countTransactions = async ({ query }: Database): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select sum(xact_commit + xact_rollback)::int as count from pg_stat_database`.execute(query)
  return rows[0]?.count ?? Number.NaN
}
