import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Config } from '../config.ts'
import { decryptStream, encryptStream, NotDecryptable } from '../lib/encrypted-stream.ts'
import type { Secret } from '../lib/secret.ts'
import { archived, readKeyFile, unarchived } from './backup-archive.ts'
import { type BackupFile, type Bytes, type EncryptedPlace, filesBelow, manifestName } from './backup-files.ts'
import { isS3Address, openS3Backup } from './s3-backup.ts'

export type BackupPlace = {
  /** Rejects if something has this name. */
  assertFree(): Promise<void>
  /** The backup has its name only when all files are stored. */
  store(files: AsyncIterable<BackupFile>): Promise<void>
}

export type BackupSource = {
  readonly name: string
  /** Each call reads them again. Rejects if anything of an encrypted backup was changed. */
  files(): AsyncIterable<BackupFile>
}

export type NamedBackup = {
  /** A folder, with a key file one encrypted file, or `s3://bucket/name`, which needs a key file. */
  readonly name: string
  readonly keyFile?: string | undefined
}

export type WantedPlace = NamedBackup & {
  /** Removes what an unfinished backup left in S3. In a folder, every backup does. */
  readonly clean?: boolean | undefined
}

export const openBackupPlace = async (
  config: Config,
  { name, keyFile, clean }: WantedPlace,
): Promise<BackupPlace> => {
  const key = await readKey({ name, keyFile })
  if (key === undefined) return folderPlace(resolve(name))
  const place = encryptedPlace(config, { name, clean })
  return {
    assertFree: () => place.assertFree(),
    store: (files) => place.store(encryptStream(archived(files), key)),
  }
}

export const openBackupSource = async (
  config: Config,
  { name, keyFile }: NamedBackup,
): Promise<BackupSource> => {
  const key = await readKey({ name, keyFile })
  if (!isS3Address(name)) await assertKind(name, key !== undefined)
  if (key === undefined) return { name, files: () => filesInFolder(resolve(name)) }
  const place = encryptedPlace(config, { name })
  return { name, files: () => decryptedFiles(place, key) }
}

const readKey = async ({ name, keyFile }: NamedBackup): Promise<Secret | undefined> => {
  if (keyFile !== undefined) return await readKeyFile(keyFile)
  if (isS3Address(name)) throw new Error(`${name}: backups in S3 are encrypted: use --key-file`)
  return undefined
}

const encryptedPlace = (config: Config, { name, clean }: WantedPlace): EncryptedPlace =>
  isS3Address(name) ? openS3Backup(config, { name, clean }) : filePlace(resolve(name))

const assertKind = async (name: string, isEncrypted: boolean): Promise<void> => {
  const found = await stat(name).catch((cause: unknown) => {
    throw new Error(`${name} does not exist, or cannot be read`, { cause })
  })
  if (found.isDirectory() && isEncrypted)
    throw new Error(`${name} is a folder, which is not encrypted: omit --key-file`)
  if (!found.isDirectory() && !isEncrypted)
    throw new Error(`${name} is not a folder: for an encrypted backup, use --key-file`)
}

const decryptedFiles = async function* (place: EncryptedPlace, key: Secret): AsyncGenerator<BackupFile> {
  try {
    yield* unarchived(decryptStream(place.read(), key))
  } catch (error) {
    if (error instanceof NotDecryptable) throw new Error(`${place.name} ${error.message}`, { cause: error })
    throw error
  }
}

const unfinishedOf = (target: string): string => `${target}.unfinished`

const folderPlace = (target: string): BackupPlace => ({
  assertFree: () => removeIfEmpty(target),
  async store(files) {
    const stage = unfinishedOf(target)
    await rm(stage, { recursive: true, force: true })
    await mkdir(stage, { recursive: true, mode: 0o700 })
    for await (const { path, content } of files) await writeNew(join(stage, path), content)
    await rename(stage, target)
  },
})

const filePlace = (target: string): EncryptedPlace => ({
  name: target,
  assertFree: () => removeIfEmpty(target),
  async store(bytes) {
    const unfinished = unfinishedOf(target)
    await rm(unfinished, { recursive: true, force: true })
    try {
      await writeNew(unfinished, bytes)
      await rename(unfinished, target)
    } finally {
      await rm(unfinished, { force: true })
    }
  },
  read: () => createReadStream(target) as AsyncIterable<Buffer>,
})

/** Only its owner can read it. */
export const writeNew = async (path: string, content: Bytes): Promise<void> => {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true })
  await pipeline(Readable.from(content), file)
}

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

/** In the order of an archive: the manifest last. */
const filesInFolder = async function* (folder: string): AsyncGenerator<BackupFile> {
  for (const name of ['database', 'data']) yield* filesBelow(join(folder, name), name)
  for (const name of (await readdir(folder)).toSorted())
    if (name !== 'database' && name !== 'data' && name !== manifestName)
      yield* filesBelow(join(folder, name), name)
  yield* filesBelow(join(folder, manifestName), manifestName)
}
