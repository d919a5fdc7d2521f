import assert from 'node:assert/strict'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { openInstallation } from '../../test/installation.ts'

const rows = ['ledger_entries', 'ledger_outputs', 'ledger_blocks', 'stored_files']
const isOfLog = (table: string) => (table === 'stored_files' ? sql`where name like 'ledger/%'` : sql``)

type Installed = Awaited<ReturnType<typeof openInstallation>>

/** Keeps the log and its index as they are now. The result puts them back. */
const keepLog = async ({ database: { query } }: Installed): Promise<() => Promise<void>> => {
  for (const table of rows)
    await sql`create table ${sql.table(`kept_${table}`)} as select * from ${sql.table(table)} ${isOfLog(table)}`.execute(
      query,
    )
  return async () => {
    for (const table of rows) {
      await sql`delete from ${sql.table(table)} ${isOfLog(table)}`.execute(query)
      await sql`insert into ${sql.table(table)} select * from ${sql.table(`kept_${table}`)}`.execute(query)
    }
  }
}

const isOlder = /has 2 entries, but its newest known checkpoint has 4\./

describe('the known checkpoints of machines without a shared folder', () => {
  test('refuse an older copy of the log on a machine that has never seen it, and on one that has', async () => {
    await using installed = await openInstallation()
    const { database, settingsOf, record } = installed
    assert.equal(await record(settingsOf('postgres', 'one')), 2)
    const restoreLog = await keepLog(installed)
    assert.equal(await record(settingsOf('postgres', 'one')), 4)
    await restoreLog()
    await assert.rejects(record(settingsOf('postgres', 'two')), isOlder)
    // Like a restore of the whole database.
    await sql`delete from stored_files where name like 'known/%'`.execute(database.query)
    await assert.rejects(record(settingsOf('postgres', 'one')), isOlder)
  })

  test('move with the files', async () => {
    await using installed = await openInstallation()
    const { path, settingsOf, record, move } = installed
    await record(settingsOf('postgres'))
    await rm(join(path, 'data.known'), { recursive: true })
    await move('folder')
    const known = await readdir(join(path, 'data.known'))
    assert.ok(
      known.some((name) => /^test-[0-9a-f]{8}\.checkpoint$/.test(name)),
      known.join(),
    )
  })
})
