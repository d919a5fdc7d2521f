import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadTables } from '../adapters/database/copy/load-tables.ts'
import type { TableRows } from '../adapters/database/copy/save-tables.ts'
import { migrate } from '../adapters/database/migrate.ts'
import { migrationsFolder } from '../adapters/database/migration-files.ts'
import { createPgBossJobs } from '../adapters/jobs/pg-boss.ts'
import { createLog } from '../lib/log.ts'
import { sql } from 'kysely'
import type { Database } from '../ports/database/database.ts'
import type { BackupManifest, OnProgress } from './backup.ts'
import { type BackupFile, rowsOfFile, tableOf } from './backup-files.ts'

/** Loads the rows at the schema of the backup. Resolves with the number of rows in each table. */
export const loadBackup = async (
  database: Database,
  {
    manifest,
    tables,
    onProgress,
  }: {
    readonly onProgress: OnProgress
    readonly manifest: BackupManifest
    readonly tables: AsyncIterable<BackupFile>
  },
): Promise<ReadonlyMap<string, number>> => {
  const { connection } = database
  const log = createLog('silent')
  const folder = await mkdtemp(join(tmpdir(), 'millseal-restore-'))
  try {
    for (const { name } of manifest.database.migrations)
      await copyFile(join(migrationsFolder, `${name}.sql`), join(folder, `${name}.sql`))
    await migrate({ connection, log, folder })
  } finally {
    await rm(folder, { recursive: true })
  }
  // The backup may have own entries, which this index of an earlier release refuses.
  await sql`drop index if exists certificates_one_notarization`.execute(database.query)
  // The queue creates its own tables.
  const jobs = createPgBossJobs({ database, log })
  await jobs.start({ work: false })
  await jobs.stop(0)
  return await loadTables(connection, manifest.database, rowsOf(tables, onProgress))
}

const rowsOf = async function* (
  files: AsyncIterable<BackupFile>,
  onProgress: OnProgress,
): AsyncGenerator<TableRows> {
  for await (const file of files) {
    const table = tableOf(file.path)
    onProgress(`restoring ${table}`)
    yield { table, rows: rowsOfFile(file) }
  }
}
