import type { Mode } from '@millseal/contract'
import { checkpointIn } from '@millseal/proof'
import { sql } from 'kysely'
import type { Query } from '../../../ports/database/database.ts'
import type { Files } from '../../../ports/files/files.ts'
import { channelOf } from './channels.ts'
import type { AcceptedTime } from './log-clock.ts'
import { openTileFolder } from './tile-folder.ts'

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

/** The newest time of the log in `files`: that of its checkpoint or, in older logs, of its last block. Undefined without a log. */
export const readNewestTime = async (
  query: Query,
  { mode, files }: { readonly mode: Mode; readonly files: Files },
): Promise<Date | undefined> => {
  const note = await openTileFolder(files).readCheckpoint()
  if (note === undefined) return undefined
  const { time } = checkpointIn(note)
  if (time !== undefined) return new Date(time)
  const last = await query
    .selectFrom('ledgerBlocks')
    .select('committedAt')
    .where('mode', '=', mode)
    .orderBy('height', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last?.committedAt
}

/** Wakes the writer. */
export const storeAcceptedTime = async (
  query: Query,
  { mode, time, newest }: AcceptedTime & { readonly mode: Mode },
): Promise<void> => {
  await sql`
    with stored as (
      update ledger_logs set accepted_time = ${time}, accepted_newest_time = ${newest}
      where mode = ${mode} returning mode)
    select pg_notify(${channelOf(mode, 'submitted')}, '') from stored`.execute(query)
}
