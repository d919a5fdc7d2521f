import { cp, rm } from 'node:fs/promises'
import { sql } from 'kysely'
import type { LedgerInstallation } from './ledger-installation.ts'

/** What the database knows of a log. */
export const ledgerTables = ['ledger_entries', 'ledger_outputs', 'ledger_blocks']

/** Keeps a copy of the folder and of the index, as a backup of both has them. Returns what restores it. */
export const backUpLedger = async (server: LedgerInstallation): Promise<() => Promise<void>> => {
  const copy = `${server.folder}.copy`
  await rm(copy, { recursive: true, force: true })
  await cp(server.folder, copy, { recursive: true })
  const { query } = server.database
  for (const table of ledgerTables)
    await sql`create table ${sql.table(`kept_${table}`)} as select * from ${sql.table(table)}`.execute(query)
  return async () => {
    await rm(server.folder, { recursive: true })
    await cp(copy, server.folder, { recursive: true })
    for (const table of ledgerTables) {
      await sql`delete from ${sql.table(table)}`.execute(query)
      await sql`insert into ${sql.table(table)} select * from ${sql.table(`kept_${table}`)}`.execute(query)
    }
  }
}
