import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { createFolderFiles } from '../../adapters/files/folder.ts'
import { type Config, ConfigError } from '../../config.ts'
import { FileConflict, type Files } from '../../ports/files/files.ts'
import { openKeystore } from '../keys.ts'
import { isS3Address, openS3Address } from '../s3-backup.ts'

/** A saved data folder of PostgreSQL, from which the archived log leads to every later second. */
export type Base = {
  readonly id: string
  readonly stoppedAt: string
  readonly firstSegment: string
  readonly parts: number
}

/**
 * The write-ahead log and base backups of one database cluster. Their content is encrypted with the master key, bound to its
 * name, and written once. The list of bases is readable without a key, so that it outlives a rotation.
 */
export type WalArchive = {
  readonly place: string
  /** Again is allowed with the same bytes. */
  putSegment(name: string, bytes: Buffer): Promise<void>
  readSegment(name: string): Promise<Buffer | undefined>
  segments(): Promise<readonly string[]>
  putPart(base: string, number: number, bytes: Buffer): Promise<void>
  parts(base: Base): AsyncGenerator<Buffer>
  /** From now on it can be restored. */
  addBase(base: Base): Promise<void>
  /** Oldest first. */
  bases(): Promise<readonly Base[]>
  /** The ids of bases that were begun, finished or not. */
  baseIds(): Promise<readonly string[]>
  removeBase(id: string): Promise<void>
  removeSegments(names: readonly string[]): Promise<void>
}

const [clusterName, segmentFolder, baseFolder, indexFolder] = ['cluster', 'wal', 'base', 'bases']
const partName = (base: string, number: number): string =>
  `${baseFolder}/${base}/${String(number).padStart(10, '0')}`

export const openWalArchive = (config: Config): WalArchive => {
  const { walArchive: address } = config
  if (address === undefined) throw new ConfigError('MILLSEAL_WAL_ARCHIVE: required for this command')
  const files = isS3Address(address)
    ? openS3Address(config, address, 'an archive in S3')
    : createFolderFiles(resolve(address))
  return archiveIn(files, encryptionOf(config))
}

type Encryption = {
  encrypt(bytes: Buffer, name: string): Promise<Buffer>
  decrypt(bytes: Buffer, name: string): Promise<Buffer>
}

/** The keystore is opened late: at the first start there is no master key before the database. */
const encryptionOf = (config: Config): Encryption => ({
  encrypt: async (bytes, name) =>
    Buffer.from(openKeystore(config).encrypt(await promisify(gzip)(bytes), `wal/${name}`)),
  decrypt: async (bytes, name) => await promisify(gunzip)(openKeystore(config).decrypt(bytes, `wal/${name}`)),
})

const archiveIn = (files: Files, { encrypt, decrypt }: Encryption): WalArchive => {
  let cluster: string | undefined
  const read = async (name: string): Promise<Buffer | undefined> => {
    const found = await files.read(name)
    return found === undefined ? undefined : await decrypt(found, name)
  }
  const put = async (name: string, bytes: Buffer): Promise<void> => {
    await files.put([{ name, bytes: await encrypt(bytes, name) }])
  }
  return {
    place: files.place,
    async putSegment(name, bytes) {
      const found = systemOf(bytes)
      if (found !== undefined && found !== cluster) {
        await claim(files, found)
        cluster = found
      }
      const file = `${segmentFolder}/${name}`
      await put(file, bytes).catch(async (error: unknown) => {
        if (!(error instanceof FileConflict)) throw error
        if ((await read(file))?.equals(bytes) !== true)
          throw new Error(`${files.place} has another segment ${name}: it is the archive of another server`, {
            cause: error,
          })
      })
    },
    readSegment: (name) => read(`${segmentFolder}/${name}`),
    segments: () => namesIn(files, segmentFolder),
    putPart: (base, number, bytes) => put(partName(base, number), bytes),
    async *parts({ id, parts }) {
      for (let number = 1; number <= parts; number += 1) {
        const part = await read(partName(id, number))
        if (part === undefined) throw new Error(`The base ${id} is incomplete: part ${number} is missing`)
        yield part
      }
    },
    addBase: (base) =>
      files.put([{ name: `${indexFolder}/${base.id}`, bytes: Buffer.from(JSON.stringify(base)) }]),
    async bases() {
      const found: Base[] = []
      for (const id of await namesIn(files, indexFolder)) {
        const bytes = await files.read(`${indexFolder}/${id}`)
        if (bytes !== undefined) found.push(JSON.parse(bytes.toString('utf8')) as Base)
      }
      return found.toSorted((one, other) => (one.stoppedAt < other.stoppedAt ? -1 : 1))
    },
    async baseIds() {
      return [...new Set((await namesIn(files, baseFolder)).map((name) => name.split('/', 1)[0] ?? ''))]
    },
    async removeBase(id) {
      // The index first: a base without its entry is not there.
      await files.remove([`${indexFolder}/${id}`])
      await files.remove([`${baseFolder}/${id}`])
    },
    removeSegments: (names) => files.remove(names.map((name) => `${segmentFolder}/${name}`)),
  }
}

const namesIn = async (files: Files, folder: string): Promise<readonly string[]> =>
  (await files.list(folder)).map((name) => name.slice(folder.length + 1))

/** One cluster per archive, by the identifier in the header of every segment. */
const claim = async (files: Files, system: string): Promise<void> => {
  await files.put([{ name: clusterName, bytes: Buffer.from(`${system}\n`) }]).catch((error: unknown) => {
    if (!(error instanceof FileConflict)) throw error
    throw new Error(
      `${files.place} is the archive of another database: set MILLSEAL_WAL_ARCHIVE to a new place`,
      {
        cause: error,
      },
    )
  })
}

const segmentBytes = 2 ** 20

/** Of a segment, not of the history of a timeline. XLogLongPageHeaderData in PostgreSQL's access/xlog_internal.h. */
const systemOf = (bytes: Buffer): string | undefined =>
  bytes.length < segmentBytes ? undefined : String(bytes.readBigUInt64LE(24))
