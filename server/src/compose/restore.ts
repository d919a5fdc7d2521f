import { readdir, rmdir, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Mode } from '@millseal/contract'
import { assertEmpty } from '../adapters/database/copy/load-tables.ts'
import { migrate } from '../adapters/database/migrate.ts'
import { assertNoFiles, switchTo } from '../adapters/files/installation.ts'
import type { Config } from '../config.ts'
import { ensureDataFolder } from '../config/usable-settings.ts'
import { createLog } from '../lib/log.ts'
import type { BackupManifest, OnProgress } from './backup.ts'
import { type NamedBackup, openBackupSource } from './backup-places.ts'
import { openDatabase } from './database.ts'
import { logFolder, openRoot } from './files.ts'
import { masterKeyIdOf } from './keys.ts'
import { loadBackup } from './load-backup.ts'
import type { LogReport } from './log-commands.ts'
import { storeFiles, tablesFirst } from './restored-files.ts'
import { verifyRestoredLogs } from './restored-logs.ts'
import { verifyBackup } from './verify-backup.ts'

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
 * before it writes anything.
 */
export const restore = async (config: Config, options: RestoreOptions): Promise<Restored> => {
  const { onProgress = () => {} } = options
  const dataDir = resolve(config.dataDir)
  const isNew = (await stat(dataDir).catch(() => undefined)) === undefined
  ensureDataFolder(config)
  const { source, manifest } = await openVerified(config, { ...options, onProgress }).catch(
    async (error: unknown) => {
      if (isNew) await rmdir(dataDir)
      throw error
    },
  )
  await using database = await openDatabase(config, createLog('silent'), undefined)
  await assertEmpty(database.connection)
  const root = openRoot(config, database.query)
  const files = root.within(logFolder)
  // In the new database there is no table for them yet.
  if (files.kind !== 'postgres') await assertNoFiles(files)
  const { tables, others } = tablesFirst(source.files())
  const counts = await loadBackup(database, { manifest, tables, onProgress })
  await migrate({ connection: database.connection, log: createLog('silent') })
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

const openVerified = async (config: Config, options: NamedBackup & { readonly onProgress: OnProgress }) => {
  const source = await openBackupSource(config, options)
  await assertEmptyFolder(resolve(config.dataDir))
  return { source, manifest: await verifyBackup(source, options.onProgress) }
}

export const assertEmptyFolder = async (dataDir: string): Promise<void> => {
  const names = await readdir(dataDir)
  const found = names.filter((name) => name !== 'master.key')
  if (found.length > 0)
    throw new Error(`The data folder ${dataDir} is not empty (${found[0]}): restore to an empty one`)
}

const missingKeyId = (
  config: Config,
  { masterKeyId }: BackupManifest,
  names: readonly string[],
): string | undefined => {
  const hasKey = config.masterKeys.length > 0 || names.includes('master.key')
  return hasKey && masterKeyIdOf(config) === masterKeyId ? undefined : masterKeyId
}
