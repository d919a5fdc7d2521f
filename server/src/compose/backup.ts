import { readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type Mode, modes } from '@millseal/contract'
import { readPacks } from '@millseal/families'
import { type SavedDatabase, saveTables, type TableRows } from '../adapters/database/copy/save-tables.ts'
import { readLog } from '../adapters/ledger/embedded/copy-log.ts'
import type { Config } from '../config.ts'
import { createLog } from '../lib/log.ts'
import { systemClock } from '../ports/clock/clock.ts'
import type { Database } from '../ports/database/database.ts'
import type { NewFile } from '../ports/files/files.ts'
import {
  type BackupFile,
  dataFolder,
  digested,
  type FileDigest,
  fileOfRows,
  filesBelow,
  manifestName,
  oneChunk,
} from './backup-files.ts'
import { openBackupPlace, type WantedPlace } from './backup-places.ts'
import { openForCommand } from './commands.ts'
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
  readonly files: readonly FileDigest[]
}

export type OnProgress = (what: string) => void

export type BackupOptions = WantedPlace & {
  /** With the master keys, anyone who has the backup can decrypt its secrets. */
  readonly includeKeys: boolean
  readonly onProgress?: OnProgress
}

/** Works with or without a running server. With a key file, nothing is written unencrypted. */
export const backUp = async (config: Config, options: BackupOptions): Promise<BackupManifest> => {
  const place = await openBackupPlace(config, options)
  await place.assertFree()
  await using database = await openForCommand(config, createLog('silent'))
  let saved: BackupManifest | undefined
  const { includeKeys, onProgress = () => {} } = options
  const content = contentOf({ config, database, includeKeys, onProgress })
  await place.store(withManifest(content, (manifest) => (saved = manifest)))
  if (saved === undefined) throw new Error('The backup has no manifest')
  return saved
}

type Content = AsyncGenerator<BackupFile, Omit<BackupManifest, 'files'>>

/** All files with their digests in the manifest, which is the last file. */
const withManifest = async function* (
  content: Content,
  onManifest: (manifest: BackupManifest) => void,
): AsyncGenerator<BackupFile> {
  const files: FileDigest[] = []
  try {
    let next = await content.next()
    for (; next.done !== true; next = await content.next())
      yield { ...next.value, content: digested(next.value, (digest) => files.push(digest)) }
    const manifest = { ...next.value, files: files.toSorted(byPath) }
    onManifest(manifest)
    const bytes = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)
    yield { path: manifestName, content: oneChunk(bytes) }
  } finally {
    // Ends what the content holds open if the place fails.
    await content[Symbol.asyncDispose]()
  }
}

const byPath = (one: FileDigest, other: FileDigest): number => (one.path < other.path ? -1 : 1)

type Source = {
  readonly config: Config
  readonly database: Database
  readonly includeKeys: boolean
  readonly onProgress: OnProgress
}

/**
 * The database first, in one snapshot, and then the logs: a log may be ahead of its index, which the next start repairs, but
 * never behind it.
 */
const contentOf = async function* (source: Source): Content {
  const { config, database, includeKeys, onProgress } = source
  const saved = yield* savedTables(source)
  const files = await openFilesOf(config, database)
  const logs: Partial<Record<Mode, number>> = {}
  for (const mode of modes) {
    onProgress(`the ${mode} log`)
    const log = await readLog(files.within(mode))
    if (log === undefined) continue
    for await (const file of log.files) yield asFile(`${logFolder}/${mode}/`, file)
    logs[mode] = log.size
  }
  onProgress('files')
  for await (const file of readPacks(openRoot(config, database.query))) yield asFile('', file)
  const dataDir = resolve(config.dataDir)
  const names = includeKeys ? ['mails', ...(await keyFiles(dataDir))] : ['mails']
  for (const name of names) yield* filesBelow(join(dataDir, name), join(dataFolder, name))
  return {
    formatVersion: backupFormat,
    createdAt: new Date(systemClock.now()).toISOString(),
    database: saved,
    logs,
    masterKeyId: masterKeyIdOf(config),
    hasKeys: includeKeys && config.masterKeys.length === 0,
  }
}

const asFile = (folder: string, { name, bytes }: NewFile): BackupFile => ({
  path: join(dataFolder, `${folder}${name}`),
  content: oneChunk(bytes),
})

const savedTables = async function* ({
  database,
  onProgress,
}: Source): AsyncGenerator<BackupFile, SavedDatabase> {
  const tables = saveTables(database.connection)
  try {
    let next = await tables.next()
    for (; next.done !== true; next = await tables.next()) {
      onProgress(next.value.table)
      yield fileOfRows(counted(next.value, throttled(onProgress)))
    }
    return next.value
  } finally {
    await tables[Symbol.asyncDispose]()
  }
}

const counted = ({ table, rows }: TableRows, report: OnProgress): TableRows => ({
  table,
  rows: (async function* () {
    let count = 0
    for await (const row of rows) {
      count += 1
      report(`${table}: ${count} rows`)
      yield row
    }
  })(),
})

const progressMs = 2_000

/** Calls it at most every two seconds. */
export const throttled = (onProgress: OnProgress): OnProgress => {
  let lastMs = systemClock.now()
  return (what) => {
    if (systemClock.now() - lastMs < progressMs) return
    lastMs = systemClock.now()
    onProgress(what)
  }
}

const isKeyFile = (name: string): boolean => /^master\.key(\.[0-9a-f]{8})?$/.test(name)

const keyFiles = async (dataDir: string): Promise<string[]> => [
  'mqtt-certificate.pem',
  ...(await readdir(dataDir)).filter(isKeyFile),
]
