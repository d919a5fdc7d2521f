import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type Mode, modes } from '@millseal/contract'
import { type SavedDatabase, saveTables } from '../adapters/database/copy/save-tables.ts'
import { copyLog } from '../adapters/ledger/embedded/copy-log.ts'
import type { Config } from '../config.ts'
import { createLog } from '../lib/log.ts'
import { systemClock } from '../ports/clock/clock.ts'
import { type BackedUpFile, copyIfThere, describeFiles, manifestName, writeRows } from './backup-files.ts'
import { openForCommand } from './commands.ts'
import { sealingKeyId } from './keys.ts'

export const backupFormat = 1

/** What a backup says of itself. */
export type BackupManifest = {
  readonly formatVersion: typeof backupFormat
  readonly createdAt: string
  readonly database: SavedDatabase
  /** How many entries each log has, of the modes that have one. */
  readonly logs: Partial<Readonly<Record<Mode, number>>>
  /** Under which key its secrets lie. */
  readonly masterKeyId: string
  readonly hasKeys: boolean
  readonly files: readonly BackedUpFile[]
}

export type BackupOptions = {
  readonly folder: string
  /** The master keys too: whoever has the backup can then open every secret in it. */
  readonly includeKeys: boolean
  readonly onProgress?: (what: string) => void
}

/**
 * Beside a running server, or without one. The database first, in one snapshot, and the logs after it: a log may be
 * ahead of its index, which the next start makes up for, and never behind it.
 */
export const backUp = async (
  config: Config,
  { folder, includeKeys, onProgress = () => {} }: BackupOptions,
): Promise<BackupManifest> => {
  const target = resolve(folder)
  await assertFree(target)
  const stage = `${target}.unfinished`
  await rm(stage, { recursive: true, force: true })
  await mkdir(stage, { recursive: true, mode: 0o700 })
  await using database = await openForCommand(config, createLog('silent'))
  const saved = await saveTables(database.connection, async (table, rows) => {
    onProgress(table)
    await writeRows(stage, table, rows)
  })
  const dataDir = resolve(config.dataDir)
  const logs: Partial<Record<Mode, number>> = {}
  for (const mode of modes) {
    onProgress(`the ${mode} log`)
    const size = await copyLog(join(dataDir, 'ledger', mode), join(stage, 'data', 'ledger', mode))
    if (size !== undefined) logs[mode] = size
  }
  onProgress('files')
  const names = includeKeys ? [...otherFiles, ...(await keyFiles(dataDir))] : otherFiles
  for (const name of names) await copyIfThere(join(dataDir, name), join(stage, 'data', name))
  const manifest: BackupManifest = {
    formatVersion: backupFormat,
    createdAt: new Date(systemClock.now()).toISOString(),
    database: saved,
    logs,
    masterKeyId: sealingKeyId(config),
    hasKeys: includeKeys && config.masterKeys.length === 0,
    files: await describeFiles(stage),
  }
  await writeFile(join(stage, manifestName), `${JSON.stringify(manifest, null, 2)}\n`, { flush: true })
  await rename(stage, target)
  return manifest
}

const otherFiles = ['packs', 'mails']
const isKeyFile = (name: string): boolean => /^master\.key(\.[0-9a-f]{8})?$/.test(name)

const keyFiles = async (dataDir: string): Promise<string[]> => [
  'mqtt-certificate.pem',
  ...(await readdir(dataDir)).filter(isKeyFile),
]

const assertFree = async (target: string): Promise<void> => {
  const found = await readdir(target).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new Error(`${target} is not a folder that a backup can be written to`, { cause: error })
  })
  if (found === undefined) return
  if (found.length > 0) throw new Error(`${target} is not empty: name a folder that does not exist yet`)
  await rm(target, { recursive: true })
}
