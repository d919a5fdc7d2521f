import type { InboxCounts, Mode } from '@millseal/contract'
import { sql } from 'kysely'
import type { Query } from '../../../ports/database/database.ts'
import type { InboxScope } from './inbox.store.ts'

/** Reads indexes only, each no further than the limit. */
export const countEntries = async (
  query: Query,
  { companyId, mayReceive, mode, atMost }: InboxScope & { readonly mode: Mode; readonly atMost: number },
): Promise<InboxCounts> => {
  const count = (condition: ReturnType<typeof sql>) => sql`(select count(*)::int from (
    select from inbox where company_id = ${companyId}::uuid and mode = ${mode}
      and (${mayReceive}::boolean or source = 'filed') and ${condition} limit ${atMost}::int
  ) as counted)`
  const { rows } = await sql<InboxCounts>`select
    ${count(sql`state = 'new'`)} as "toDecide",
    ${count(sql`state = 'new' and advice = 'doNotAccept'`)} as "doNotAccept",
    ${count(sql`state = 'new' and advice = 'look'`)} as look,
    ${count(sql`state = 'new' and advice = 'meetsEverything'`)} as "meetsEverything",
    ${count(sql`alarm is not null`)} as alarms`.execute(query)
  const [counts] = rows
  if (counts === undefined) throw new Error('A count has no row')
  return counts
}
