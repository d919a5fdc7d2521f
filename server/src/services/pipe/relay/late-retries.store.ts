import { sql } from 'kysely'
import type { Query } from '../../../ports/database/database.ts'

/** Makes deliveries and mails due whose next attempt is later than any schedule says: the clock was set back since. */
export const bringForwardRetries = async (
  query: Query,
  { now, latest }: { readonly now: Date; readonly latest: Date },
): Promise<void> => {
  for (const table of [sql.table('hook_deliveries'), sql.table('mails')])
    await sql`update ${table} set next_attempt_at = ${now} where next_attempt_at > ${latest}`.execute(query)
}
