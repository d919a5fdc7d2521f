import type { Mode } from '@millseal/contract'
import { sql } from 'kysely'
import type { Query } from '../../../ports/database/database.ts'
import { channelOf } from './channels.ts'
import type { AcceptedTime } from './log-clock.ts'

/** What an operator confirmed last about the clock. */
export const readAcceptedTime = async (query: Query, mode: Mode): Promise<AcceptedTime | undefined> => {
  const row = await query
    .selectFrom('ledgerLogs')
    .select(['acceptedTime', 'acceptedNewestTime'])
    .where('mode', '=', mode)
    .executeTakeFirst()
  if (row === undefined || row.acceptedTime === null || row.acceptedNewestTime === null) return undefined
  return { time: row.acceptedTime, newest: row.acceptedNewestTime }
}

/** Wakes the writer. False if there is no log yet. */
export const storeAcceptedTime = async (
  query: Query,
  { mode, time, newest }: AcceptedTime & { readonly mode: Mode },
): Promise<boolean> => {
  const { rows } = await sql`
    with stored as (
      update ledger_logs set accepted_time = ${time}, accepted_newest_time = ${newest}
      where mode = ${mode} returning mode)
    select pg_notify(${channelOf(mode, 'submitted')}, '') from stored`.execute(query)
  return rows.length > 0
}
