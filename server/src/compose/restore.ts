import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Mode } from '@millseal/contract'
import { assertEmpty, loadTables } from '../adapters/database/copy/load-tables.ts'
import type { TableRows } from '../adapters/database/copy/save-tables.ts'
import { migrate } from '../adapters/database/migrate.ts'
import { migrationsFolder, readMigrations } from '../adapters/database/migration-files.ts'
import { assertNoFiles, switchTo } from '../adapters/files/installation.ts'
import { createPgBossJobs } from '../adapters/jobs/pg-boss.ts'
import type { Config } from '../config.ts'
import { ensureDataFolder } from '../config/usable-settings.ts'
import { createLog } from '../lib/log.ts'
import type { Database } from '../ports/database/database.ts'
import type { BackupManifest, OnProgress } from './backup.ts'
import { type BackupFile, rowsOfFile, tableOf } from './backup-files.ts'
import { type NamedBackup, openBackupSource } from './backup-places.ts'
import { openDatabase } from './database.ts'
import { logFolder, openRoot } from './files.ts'
import { masterKeyIdOf } from './keys.ts'
import type { LogReport } from './log-commands.ts'
import { storeFiles, tablesFirst } from './restored-files.ts'
import { verifyBackup } from './verify-backup.ts'
import { verifyRestoredLogs } from './restored-logs.ts'

export type Restored = {
  readonly createdAt: string
  /** The number of rows by table, counted after the restore. */
  readonly rows: Readonly<Record<string, number>>
  readonly logs: readonly (readonly [Mode, LogReport])[]
  /** Differences from the manifest. */
  readonly problems: readonly string[]
  /** The id of the master key you must provide before a server can start; undefined if it is present. */
  readonly missingKeyId: string | undefined
}

export type RestoreOptions = NamedBackup & { readonly onProgress?: OnProgress }

/**
 * Needs an empty data folder and an empty database. Reads the whole backup twice: first to verify the digest of every file,
 * before it changes anything.
 */
export const restore = async (config: Config, options: RestoreOptions): Promise<Restored> => {
  const { onProgress = () => {} } = options
  const source = await openBackupSource(config, options)
  const dataDir = resolve(config.dataDir)
  await assertEmptyFolder(dataDir)
  const manifest = await verifyBackup(source, onProgress)
  await assertKnownMigrations(manifest)
  ensureDataFolder(config)
  await using database = await openDatabase(config, createLog('silent'), undefined)
  await assertEmpty(database.connection)
  const root = openRoot(config, database.query)
  const files = root.within(logFolder)
  // In the new database there is no table for them yet.
  if (files.kind !== 'postgres') await assertNoFiles(files)
  const { tables, others } = tablesFirst(source.files())
  const counts = await fill(database, { manifest, tables, onProgress })
  const problems = manifest.database.tables
    .map(({ schema, table, rows }) => ({ name: `${schema}.${table}`, rows }))
    .filter(({ name, rows }) => counts.get(name) !== rows)
    .map(({ name, rows }) => `${name} has ${counts.get(name)} rows; the backup had ${rows}`)
  await storeFiles(others, { root, dataDir, onProgress })
  await database.transaction((tx) => switchTo(tx, files))
  onProgress('verifying the logs')
  const logs = await verifyRestoredLogs(files, database, manifest)
  return {
    createdAt: manifest.createdAt,
    rows: Object.fromEntries(counts),
    logs,
    problems: [...problems, ...logs.flatMap(([, report]) => report.problems)],
    missingKeyId: missingKeyId(config, manifest, await readdir(dataDir)),
  }
}

const assertKnownMigrations = async ({ database }: BackupManifest): Promise<void> => {
  const known = await readMigrations()
  for (const [at, { name, checksum }] of database.migrations.entries()) {
    if (known[at] === undefined)
      throw new Error(`The backup is from a newer release: this one does not know migration ${name}`)
    if (known[at].checksum !== checksum)
      throw new Error(`The backup is from a different release: its migration ${name} differs from this one's`)
  }
}

const assertEmptyFolder = async (dataDir: string): Promise<void> => {
  const names = await readdir(dataDir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const found = names.filter((name) => name !== 'master.key')
  if (found.length > 0)
    throw new Error(`The data folder ${dataDir} is not empty (${found[0]}): restore to an empty one`)
}

type Filling = {
  readonly onProgress: OnProgress
  readonly manifest: BackupManifest
  readonly tables: AsyncIterable<BackupFile>
}

/** Loads the rows at the schema of the backup, then migrates to this release. */
const fill = async (
  database: Database,
  { manifest, tables, onProgress }: Filling,
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
  // The queue creates its own tables.
  const jobs = createPgBossJobs({ database, log })
  await jobs.start({ work: false })
  await jobs.stop(0)
  const counts = await loadTables(connection, manifest.database, rowsOf(tables, onProgress))
  await migrate({ connection, log })
  return counts
}

const rowsOf = async function* (
  files: AsyncIterable<BackupFile>,
  onProgress: OnProgress,
): AsyncGenerator<TableRows> {
  for await (const file of files) {
    const table = tableOf(file.path)
    onProgress(table)
    yield { table, rows: rowsOfFile(file) }
  }
}

const missingKeyId = (
  config: Config,
  { masterKeyId }: BackupManifest,
  names: readonly string[],
): string | undefined => {
  const hasKey = config.masterKeys.length > 0 || names.includes('master.key')
  return hasKey && masterKeyIdOf(config) === masterKeyId ? undefined : masterKeyId
}
