import { copyFile, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Mode, modes } from '@millseal/contract'
import { copyPacks } from '@millseal/families'
import { assertEmpty, loadTables } from '../adapters/database/copy/load-tables.ts'
import { migrate } from '../adapters/database/migrate.ts'
import { migrationsFolder, readMigrations } from '../adapters/database/migration-files.ts'
import { createFolderFiles } from '../adapters/files/folder.ts'
import { assertNoFiles, switchTo } from '../adapters/files/installation.ts'
import { copyLog } from '../adapters/ledger/embedded/copy-log.ts'
import { createPgBossJobs } from '../adapters/jobs/pg-boss.ts'
import type { Config } from '../config.ts'
import { ensureDataFolder } from '../config/usable-settings.ts'
import { createLog } from '../lib/log.ts'
import type { Database } from '../ports/database/database.ts'
import { backupFormat, type BackupManifest } from './backup.ts'
import { copyIfExists, describeFiles, manifestName, readRows } from './backup-files.ts'
import { decryptBackup, type OnProgress, readKeyFile } from './encrypted-backup.ts'
import { logFolder, openRoot } from './files.ts'
import { masterKeyIdOf } from './keys.ts'
import type { LogReport } from './log-commands.ts'
import { openDatabase } from './database.ts'
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

export type RestoreOptions = {
  /** With a key file, an encrypted file. */
  readonly folder: string
  readonly keyFile?: string | undefined
  readonly onProgress?: OnProgress
}

/** Needs an empty data folder and an empty database. Verifies the digest of every file before it changes anything. */
export const restore = async (
  config: Config,
  { folder, keyFile, onProgress = () => {} }: RestoreOptions,
): Promise<Restored> => {
  if (keyFile === undefined) return await restoreFolder(config, resolve(folder), onProgress)
  const key = await readKeyFile(keyFile)
  const decrypted = `${resolve(config.dataDir)}.restoring`
  await rm(decrypted, { recursive: true, force: true })
  try {
    await decryptBackup(resolve(folder), { folder: decrypted, key, onProgress })
    return await restoreFolder(config, decrypted, onProgress)
  } finally {
    await rm(decrypted, { recursive: true, force: true })
  }
}

const restoreFolder = async (config: Config, source: string, onProgress: OnProgress): Promise<Restored> => {
  ensureDataFolder(config)
  const manifest = await readManifest(source)
  onProgress('verifying the files of the backup')
  await assertComplete(source, manifest)
  await assertKnownMigrations(manifest)
  const dataDir = resolve(config.dataDir)
  await assertEmptyFolder(dataDir)
  const log = createLog('silent')
  await using database = await openDatabase(config, log, undefined)
  await assertEmpty(database.connection)
  const root = openRoot(config, database.query)
  const files = root.within(logFolder)
  // In the new database there is no table for them yet.
  if (files.kind !== 'postgres') await assertNoFiles(files)
  onProgress('files')
  await copyOthers(join(source, 'data'), dataDir)
  const counts = await fill(database, { source, manifest, onProgress })
  const problems = manifest.database.tables
    .map(({ schema, table, rows }) => ({ name: `${schema}.${table}`, rows }))
    .filter(({ name, rows }) => counts.get(name) !== rows)
    .map(({ name, rows }) => `${name} has ${counts.get(name)} rows; the backup had ${rows}`)
  onProgress('the logs')
  const copies = createFolderFiles(join(source, 'data'))
  for (const mode of modes) await copyLog(copies.within(logFolder).within(mode), files.within(mode))
  await copyPacks(copies, root)
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

/** Everything but what `MILLSEAL_FILES` has a place for. */
const copyOthers = async (from: string, to: string): Promise<void> => {
  for (const name of await readdir(from).catch(() => []))
    if (name !== logFolder && name !== 'packs') await copyIfExists(join(from, name), join(to, name))
}

const readManifest = async (source: string): Promise<BackupManifest> => {
  const text = await readFile(join(source, manifestName), 'utf8').catch((cause: unknown) => {
    throw new Error(`${source} is not a backup: it has no ${manifestName}`, { cause })
  })
  const manifest = JSON.parse(text) as Omit<BackupManifest, 'formatVersion'> & {
    readonly formatVersion: number
  }
  if (manifest.formatVersion !== backupFormat)
    throw new Error(
      `${source} has backup format ${manifest.formatVersion}; this release reads only format ${backupFormat}`,
    )
  return { ...manifest, formatVersion: backupFormat }
}

const assertComplete = async (source: string, { files }: BackupManifest): Promise<void> => {
  const found = new Map((await describeFiles(source)).map((file) => [file.path, file]))
  for (const { path, sha256 } of files) {
    const file = found.get(path)
    if (file === undefined) throw new Error(`The backup is incomplete: ${path} is missing`)
    if (file.sha256 !== sha256) throw new Error(`The backup is damaged: ${path} was changed`)
  }
  const surplus = [...found.keys()].find((path) => !files.some((file) => file.path === path))
  if (surplus !== undefined) throw new Error(`The backup contains ${surplus}, which is not in its manifest`)
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
  const found = (await readdir(dataDir)).filter((name) => name !== 'master.key')
  if (found.length > 0)
    throw new Error(`The data folder ${dataDir} is not empty (${found[0]}): restore to an empty one`)
}

type Filling = {
  readonly onProgress: (what: string) => void
  readonly source: string
  readonly manifest: BackupManifest
}

/** Loads the rows at the schema of the backup, then migrates to this release. */
const fill = async (
  database: Database,
  { source, manifest, onProgress }: Filling,
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
  const counts = await loadTables(connection, manifest.database, (table) => {
    onProgress(table)
    return readRows(source, table)
  })
  await migrate({ connection, log })
  return counts
}

const missingKeyId = (
  config: Config,
  { masterKeyId }: BackupManifest,
  names: readonly string[],
): string | undefined => {
  const hasKey = config.masterKeys.length > 0 || names.includes('master.key')
  return hasKey && masterKeyIdOf(config) === masterKeyId ? undefined : masterKeyId
}
