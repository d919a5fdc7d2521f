import { sql } from 'kysely'
import type { Transaction } from '../../ports/database/database.ts'

/** Until the transaction ends, no other one that calls this for the same folder goes on, in any process. */
export const lockFolder = async (tx: Transaction, folder: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`files/${folder}`}, 0))`.execute(tx)
}
