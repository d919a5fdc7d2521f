import { createHash } from 'node:crypto'
import { chmod, chown, lstat, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseRefused } from '../refused.ts'

/** A socket's path holds 103 bytes on macOS, 107 on Linux; this is the longest name we put in the folder. */
const longestFolder = (process.platform === 'darwin' ? 103 : 107) - '/lock-000000000000.new'.length

export async function prepareSocketFolder(dataDir: string, owner: number | undefined): Promise<string> {
  const inside = join(dataDir, 'socket')
  if (Buffer.byteLength(inside) > longestFolder) return await prepareSpareSocketFolder(dataDir, owner)
  await makePrivate(inside, owner)
  return inside
}

/** For a data folder too deep for a socket, or on a file system that has none. Not below TMPDIR: two servers must agree. */
export async function prepareSpareSocketFolder(dataDir: string, owner: number | undefined): Promise<string> {
  const path = spareFolderOf(dataDir)
  const found = await lstat(path).catch(() => undefined)
  // Whoever reaches the socket is the database's superuser: a folder laid out by another user is a trap.
  if (found !== undefined && found.uid !== process.getuid?.() && found.uid !== owner) {
    throw new DatabaseRefused(`${path} belongs to another user: remove it`)
  }
  await makePrivate(path, owner)
  return path
}

/** Where a server of this data folder may have its sockets, whether or not it is there. */
export const socketFoldersOf = (dataDir: string): readonly string[] => [
  join(dataDir, 'socket'),
  spareFolderOf(dataDir),
]

const spareFolderOf = (dataDir: string): string =>
  `/tmp/millseal-${createHash('sha256').update(dataDir).digest('hex').slice(0, 20)}`

async function makePrivate(path: string, owner: number | undefined): Promise<void> {
  await mkdir(path, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  const found = await lstat(path)
  if (!found.isDirectory()) throw new DatabaseRefused(`${path} must be a folder: remove it`)
  await chmod(path, 0o700)
  if (owner !== undefined && found.uid !== owner) await chown(path, owner, owner)
}
