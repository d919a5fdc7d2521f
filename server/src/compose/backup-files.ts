import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { copyFile, lstat, mkdir, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'

export type BackedUpFile = { readonly path: string; readonly bytes: number; readonly sha256: string }

export const manifestName = 'backup.json'
const rowsPath = (table: string): string => join('database', `${table}.jsonl.gz`)

export const writeRows = async (
  folder: string,
  table: string,
  rows: AsyncIterable<string>,
): Promise<void> => {
  const path = join(folder, rowsPath(table))
  await mkdir(dirname(path), { recursive: true })
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true })
  await pipeline(Readable.from(withLineEnds(rows)), createGzip(), file)
}

const withLineEnds = async function* (rows: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const row of rows) yield `${row}\n`
}

export const readRows = async function* (folder: string, table: string): AsyncGenerator<string> {
  const bytes = createReadStream(join(folder, rowsPath(table))).pipe(createGunzip())
  for await (const line of createInterface({ input: bytes, crlfDelay: Number.POSITIVE_INFINITY })) yield line
}

/** Copies a file, or a folder without hidden files, which are still being written. Does nothing if it does not exist. */
export const copyIfExists = async (from: string, to: string): Promise<void> => {
  const found = await lstat(from).catch(() => undefined)
  if (found?.isFile() === true) {
    await mkdir(dirname(to), { recursive: true, mode: 0o700 })
    await copyFile(from, to)
    return
  }
  if (found?.isDirectory() !== true) return
  await mkdir(to, { recursive: true, mode: 0o700 })
  for (const name of await readdir(from)) {
    if (!name.startsWith('.')) await copyIfExists(join(from, name), join(to, name))
  }
}

/** Lists all files of a backup except the manifest, sorted by path. */
export const describeFiles = async (folder: string): Promise<BackedUpFile[]> => {
  const names = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = names
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .filter((path) => path !== manifestName)
  const files: BackedUpFile[] = []
  for (const path of paths.toSorted()) files.push({ path, ...(await digestOf(join(folder, path))) })
  return files
}

const digestOf = async (path: string): Promise<Omit<BackedUpFile, 'path'>> => {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of createReadStream(path)) {
    const part = chunk as Buffer
    bytes += part.length
    hash.update(part)
  }
  return { bytes, sha256: hash.digest('hex') }
}
