import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type Mode, modes } from '@millseal/contract'
import { copyPacks } from '@millseal/families'
import { type SavedDatabase, saveTables } from '../adapters/database/copy/save-tables.ts'
import { createFolderFiles } from '../adapters/files/folder.ts'
import { copyLog } from '../adapters/ledger/embedded/copy-log.ts'
import type { Config } from '../config.ts'
import { createLog } from '../lib/log.ts'
import { systemClock } from '../ports/clock/clock.ts'
import { type BackedUpFile, copyIfExists, describeFiles, manifestName, writeRows } from './backup-files.ts'
import { openForCommand } from './commands.ts'
import { encryptBackup, readKeyFile, throttled } from './encrypted-backup.ts'
import { logFolder, openFilesOf, openRoot } from './files.ts'
import { masterKeyIdOf } from './keys.ts'

export const backupFormat = 1

export type BackupManifest = {
  readonly formatVersion: typeof backupFormat
  readonly createdAt: string
  readonly database: SavedDatabase
  /** The number of entries of each existing log. */
  readonly logs: Partial<Readonly<Record<Mode, number>>>
  /** The master key that its secrets are encrypted with. */
  readonly masterKeyId: string
  readonly hasKeys: boolean
  readonly files: readonly BackedUpFile[]
}

export type BackupOptions = {
  /** With a key file, the name of one encrypted file. */
  readonly folder: string
  readonly keyFile?: string | undefined
  /** With the master keys, anyone who has the backup can decrypt its secrets. */
  readonly includeKeys: boolean
  readonly onProgress?: (what: string) => void
}

/**
 * Works with or without a running server. Saves the database first, in one snapshot, and then the logs: a log may be
 * ahead of its index, which the next start repairs, but never behind it.
 */
export const backUp = async (
  config: Config,
  { folder, keyFile, includeKeys, onProgress = () => {} }: BackupOptions,
): Promise<BackupManifest> => {
  const key = keyFile === undefined ? undefined : await readKeyFile(keyFile)
  const target = resolve(folder)
  await removeIfEmpty(target)
  const stage = `${target}.unfinished`
  await rm(stage, { recursive: true, force: true })
  await mkdir(stage, { recursive: true, mode: 0o700 })
  await using cleaning = new AsyncDisposableStack()
  if (key !== undefined) cleaning.defer(() => rm(stage, { recursive: true, force: true }))
  await using database = await openForCommand(config, createLog('silent'))
  const saved = await saveTables(database.connection, async (table, rows) => {
    onProgress(table)
    const report = throttled(onProgress)
    await writeRows(
      stage,
      table,
      counted(rows, (count) => report(`${table}: ${count} rows`)),
    )
  })
  const dataDir = resolve(config.dataDir)
  const files = await openFilesOf(config, database)
  const copies = createFolderFiles(join(stage, 'data'))
  const logs: Partial<Record<Mode, number>> = {}
  for (const mode of modes) {
    onProgress(`the ${mode} log`)
    const size = await copyLog(files.within(mode), copies.within(logFolder).within(mode))
    if (size !== undefined) logs[mode] = size
  }
  onProgress('files')
  await copyPacks(openRoot(config, database.query), copies)
  const names = includeKeys ? ['mails', ...(await keyFiles(dataDir))] : ['mails']
  for (const name of names) await copyIfExists(join(dataDir, name), join(stage, 'data', name))
  const manifest: BackupManifest = {
    formatVersion: backupFormat,
    createdAt: new Date(systemClock.now()).toISOString(),
    database: saved,
    logs,
    masterKeyId: masterKeyIdOf(config),
    hasKeys: includeKeys && config.masterKeys.length === 0,
    files: await describeFiles(stage),
  }
  await writeFile(join(stage, manifestName), `${JSON.stringify(manifest, null, 2)}\n`, { flush: true })
  if (key === undefined) await rename(stage, target)
  else await encryptTo(target, { folder: stage, files: manifest.files, key, onProgress })
  return manifest
}

/** The file gets its name only when it is complete. */
const encryptTo = async (target: string, encryption: Parameters<typeof encryptBackup>[1]): Promise<void> => {
  const unfinished = `${target}.encrypted`
  await rm(unfinished, { force: true })
  await encryptBackup(unfinished, encryption)
  await rename(unfinished, target)
}

const counted = async function* (
  rows: AsyncIterable<string>,
  onRow: (count: number) => void,
): AsyncGenerator<string> {
  let count = 0
  for await (const row of rows) {
    count += 1
    onRow(count)
    yield row
  }
}

const isKeyFile = (name: string): boolean => /^master\.key(\.[0-9a-f]{8})?$/.test(name)

const keyFiles = async (dataDir: string): Promise<string[]> => [
  'mqtt-certificate.pem',
  ...(await readdir(dataDir)).filter(isKeyFile),
]

const removeIfEmpty = async (target: string): Promise<void> => {
  const found = await readdir(target).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    if (error.code === 'ENOTDIR') throw new Error(`${target} exists: choose a new name`, { cause: error })
    throw new Error(`Cannot write a backup to ${target}`, { cause: error })
  })
  if (found === undefined) return
  if (found.length > 0) throw new Error(`${target} is not empty: choose a new folder`)
  await rm(target, { recursive: true })
}
