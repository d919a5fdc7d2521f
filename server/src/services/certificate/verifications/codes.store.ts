import { type Mode } from '@millseal/contract'
import { sql } from 'kysely'
import type { Query } from '../../../ports/database/database.ts'

export type Coded = { readonly mode: Mode; readonly hash: string }

/** More than one certificate in test and live mode is not expected. */
const atMost = 4

/**
 * The certificates of this service whose hash begins like this. Whether they were recorded is for the ledger to say. The
 * ledger itself is not searched: there, anybody can record a hash that begins like another one.
 */
export const findByHashPrefix = async (query: Query, prefix: string): Promise<readonly Coded[]> => {
  const { rows } = await sql<Coded>`
    select distinct hash, mode from (
      select hash, mode from certificates union all select hash, 'test' from samples
    ) coded
    where hash collate "C" >= ${prefix} and hash collate "C" < ${`${prefix}~`}
    order by hash, mode limit ${atMost}`.execute(query)
  return rows
}
