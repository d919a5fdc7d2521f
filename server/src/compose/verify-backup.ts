import { normalize } from 'node:path'
import { text as readText } from 'node:stream/consumers'
import { readMigrations } from '../adapters/database/migration-files.ts'
import { type BackupManifest, backupFormat, type OnProgress, throttled } from './backup.ts'
import { type Bytes, digested, type FileDigest, manifestName } from './backup-files.ts'
import type { BackupSource } from './backup-places.ts'

/** Reads all of it. Resolves with its manifest if every file is as it was, and this release knows its schema. */
export const verifyBackup = async (
  { name, files }: BackupSource,
  onProgress: OnProgress,
): Promise<BackupManifest> => {
  const found = new Map<string, FileDigest>()
  const report = throttled(onProgress)
  let [manifest, bytes] = ['', 0]
  for await (const file of files()) {
    const { path } = file
    if (manifest === '' && found.size === 0) onProgress('verifying the files of the backup')
    if (path.startsWith('/') || path.startsWith('..') || normalize(path) !== path)
      throw new Error(`${name} names a file outside of it: ${path}`)
    if (path === manifestName) manifest = await readText(file.content)
    else await readAll(digested(file, (digest) => found.set(path, digest)))
    bytes += found.get(path)?.bytes ?? 0
    report(`verified ${Math.floor(bytes / 2 ** 20)} MiB`)
  }
  if (manifest === '') throw new Error(`${name} is not a backup: it has no ${manifestName}`)
  const complete = assertComplete(parseManifest(name, manifest), found)
  await assertKnownMigrations(complete)
  return complete
}

const readAll = async (content: Bytes): Promise<void> => {
  for await (const _part of content) void _part
}

const parseManifest = (name: string, text: string): BackupManifest => {
  const manifest = JSON.parse(text) as Omit<BackupManifest, 'formatVersion'> & {
    readonly formatVersion: number
  }
  if (manifest.formatVersion !== backupFormat)
    throw new Error(
      `${name} has backup format ${manifest.formatVersion}; this release reads only format ${backupFormat}`,
    )
  return { ...manifest, formatVersion: backupFormat }
}

const assertComplete = (manifest: BackupManifest, found: ReadonlyMap<string, FileDigest>): BackupManifest => {
  const listed = new Set<string>()
  for (const { path, sha256 } of manifest.files) {
    listed.add(path)
    const file = found.get(path)
    if (file === undefined) throw new Error(`The backup is incomplete: ${path} is missing`)
    if (file.sha256 !== sha256) throw new Error(`The backup is damaged: ${path} was changed`)
  }
  const surplus = [...found.keys()].find((path) => !listed.has(path))
  if (surplus !== undefined) throw new Error(`The backup contains ${surplus}, which is not in its manifest`)
  return manifest
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
