import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline, Readable } from 'node:stream'
import { createGunzip, createGzip } from 'node:zlib'
import type { TableRows } from '../adapters/database/copy/save-tables.ts'

export type Bytes = AsyncIterable<Uint8Array>
/** A file of a backup. Its content is read before the next file is asked for. */
export type BackupFile = { readonly path: string; readonly content: Bytes }
export type FileDigest = { readonly path: string; readonly bytes: number; readonly sha256: string }

/** Where an encrypted backup is stored, which is one stream of bytes. */
export type EncryptedPlace = {
  readonly name: string
  assertFree(): Promise<void>
  store(bytes: Bytes): Promise<void>
  read(): Bytes
}

export const manifestName = 'backup.json'
/** Of the rows of all tables. */
export const databaseFolder = 'database'
/** Of everything else. */
export const dataFolder = 'data'

const rowsEnd = '.jsonl.gz'
const rowsPath = (table: string): string => join(databaseFolder, `${table}${rowsEnd}`)
export const tableOf = (path: string): string => path.slice(databaseFolder.length + 1, -rowsEnd.length)

export const fileOfRows = ({ table, rows }: TableRows): BackupFile => ({
  path: rowsPath(table),
  content: pipeline(Readable.from(withLineEnds(rows)), createGzip(), () => {}) as AsyncIterable<Buffer>,
})

const withLineEnds = async function* (rows: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const row of rows) yield `${row}\n`
}

/** Not with readline, which also ends lines at U+2028 and never says that the source has failed. */
export const rowsOfFile = async function* ({ content }: BackupFile): AsyncGenerator<string> {
  const text = pipeline(Readable.from(content), createGunzip(), () => {}).setEncoding('utf8')
  let begun = ''
  for await (const part of text as AsyncIterable<string>) {
    const lines = `${begun}${part}`.split('\n')
    begun = lines.pop() ?? ''
    yield* lines
  }
}

export const oneChunk = async function* (bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

/** A file, or the files of a folder without hidden ones, which are still being written. Nothing if it does not exist. */
export const filesBelow = async function* (from: string, path: string): AsyncGenerator<BackupFile> {
  const found = await lstat(from).catch(() => undefined)
  if (found?.isFile() === true) yield { path, content: createReadStream(from) as AsyncIterable<Buffer> }
  if (found?.isDirectory() !== true) return
  for (const name of (await readdir(from)).toSorted())
    if (!name.startsWith('.')) yield* filesBelow(join(from, name), join(path, name))
}

/** Passes the content on, and then its digest to `onEnd`. */
export const digested = async function* (
  { path, content }: BackupFile,
  onEnd: (digest: FileDigest) => void,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const part of content) {
    bytes += part.length
    hash.update(part)
    yield part
  }
  onEnd({ path, bytes, sha256: hash.digest('hex') })
}
