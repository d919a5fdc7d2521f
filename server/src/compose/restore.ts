import { copyFile, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Mode } from '@millseal/contract'
import { assertEmpty, loadTables } from '../adapters/database/copy/load-tables.ts'
import { migrate } from '../adapters/database/migrate.ts'
import { migrationsFolder, readMigrations } from '../adapters/database/migration-files.ts'
import { createPgBossJobs } from '../adapters/jobs/pg-boss.ts'
import type { Config } from '../config.ts'
import { createLog } from '../lib/log.ts'
import type { Database } from '../ports/database/database.ts'
import { backupFormat, type BackupManifest } from './backup.ts'
import { copyIfThere, describeFiles, manifestName, readRows } from './backup-files.ts'
import { sealingKeyId } from './keys.ts'
import type { LogReport } from './log-commands.ts'
import { openDatabase } from './ports.ts'
import { verifyRestoredLogs } from './restored-logs.ts'

export type Restored = {
  readonly createdAt: string
  /** By table, as they were counted after the last row was in. */
  readonly rows: Readonly<Record<string, number>>
  readonly logs: readonly (readonly [Mode, LogReport])[]
  /** What is not as the backup says; empty when all is well. */
  readonly problems: readonly string[]
  /** The id of the master key that is still to be put in place before a server can start. */
  readonly missingKeyId: string | undefined
}

export type RestoreOptions = { readonly folder: string; readonly onProgress?: (what: string) => void }

/** Into an empty data folder and an empty database. Nothing is touched before every file was held against its digest. */
export const restore = async (
  config: Config,
  { folder, onProgress = () => {} }: RestoreOptions,
): Promise<Restored> => {
  const source = resolve(folder)
  const manifest = await readManifest(source)
  onProgress('checking the files of the backup')
  await assertWhole(source, manifest)
  await assertKnownMigrations(manifest)
  const dataDir = resolve(config.dataDir)
  await assertEmptyFolder(dataDir)
  const log = createLog('silent')
  await using database = await openDatabase(config, log, undefined)
  await assertEmpty(database.connection)
  onProgress('files')
  await copyIfThere(join(source, 'data'), dataDir)
  const counts = await fill(database, { source, manifest, onProgress })
  const problems = manifest.database.tables
    .map(({ schema, table, rows }) => ({ name: `${schema}.${table}`, rows }))
    .filter(({ name, rows }) => counts.get(name) !== rows)
    .map(({ name, rows }) => `${name} has ${counts.get(name)} rows, and had ${rows}`)
  onProgress('verifying the logs')
  const logs = await verifyRestoredLogs(config, database, manifest)
  return {
    createdAt: manifest.createdAt,
    rows: Object.fromEntries(counts),
    logs,
    problems: [...problems, ...logs.flatMap(([, report]) => report.problems)],
    missingKeyId: missingKeyId(config, manifest, await readdir(dataDir)),
  }
}

const readManifest = async (source: string): Promise<BackupManifest> => {
  const text = await readFile(join(source, manifestName), 'utf8').catch((cause: unknown) => {
    throw new Error(`${source} is no backup: it has no ${manifestName}`, { cause })
  })
  const manifest = JSON.parse(text) as Omit<BackupManifest, 'formatVersion'> & {
    readonly formatVersion: number
  }
  if (manifest.formatVersion !== backupFormat)
    throw new Error(`${source} is a backup of another format than ${backupFormat}, the only one known here`)
  return { ...manifest, formatVersion: backupFormat }
}

const assertWhole = async (source: string, { files }: BackupManifest): Promise<void> => {
  const found = new Map((await describeFiles(source)).map((file) => [file.path, file]))
  for (const { path, sha256 } of files) {
    const file = found.get(path)
    if (file === undefined) throw new Error(`The backup is not whole: ${path} is missing`)
    if (file.sha256 !== sha256) throw new Error(`The backup is not whole: ${path} was changed`)
  }
  const surplus = [...found.keys()].find((path) => !files.some((file) => file.path === path))
  if (surplus !== undefined) throw new Error(`The backup holds ${surplus}, which it says nothing of`)
}

const assertKnownMigrations = async ({ database }: BackupManifest): Promise<void> => {
  const known = await readMigrations()
  for (const [at, { name, checksum }] of database.migrations.entries()) {
    if (known[at] === undefined) throw new Error(`The backup is of a newer release: it has migration ${name}`)
    if (known[at].checksum !== checksum)
      throw new Error(`The backup is of another release: its migration ${name} is not the one here`)
  }
}

const assertEmptyFolder = async (dataDir: string): Promise<void> => {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const found = (await readdir(dataDir)).filter((name) => name !== 'master.key')
  if (found.length > 0)
    throw new Error(`The data folder ${dataDir} is not empty (${found[0]}): restore into an empty one`)
}

type Filling = Required<Pick<RestoreOptions, 'onProgress'>> & {
  readonly source: string
  readonly manifest: BackupManifest
}

/** At the schema that the backup was made of; then on to that of this release. */
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
  // Its tables are made by the queue itself.
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
  return hasKey && sealingKeyId(config) === masterKeyId ? undefined : masterKeyId
}
