import { createHash } from 'node:crypto'
import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseRefused } from '../refused.ts'
import { makePrivate } from './private-folder.ts'

/** The path of a socket is limited to 103 bytes on macOS and 107 on Linux. The name is the longest one we use. */
const maxFolderLength = (process.platform === 'darwin' ? 103 : 107) - '/lock-000000000000.new'.length

export async function prepareSocketFolder(dataDir: string, owner: number | undefined): Promise<string> {
  const inside = join(dataDir, 'socket')
  if (Buffer.byteLength(inside) > maxFolderLength) return await prepareSpareSocketFolder(dataDir, owner)
  await makePrivate(inside, owner)
  return inside
}

/** For a data folder whose path is too long for a socket, or whose file system has no sockets. Not below TMPDIR, because two servers must use the same folder. */
export async function prepareSpareSocketFolder(dataDir: string, owner: number | undefined): Promise<string> {
  const path = spareFolderOf(dataDir)
  const found = await lstat(path).catch(() => undefined)
  // Access to the socket means superuser rights, so a folder prepared by another user is not trusted.
  if (found !== undefined && found.uid !== process.getuid?.() && found.uid !== owner) {
    throw new DatabaseRefused(`${path} belongs to another user: delete it`)
  }
  await makePrivate(path, owner)
  return path
}

/** The folders in which a server of this data folder may have its sockets. They need not exist. */
export const socketFoldersOf = (dataDir: string): readonly string[] => [
  join(dataDir, 'socket'),
  spareFolderOf(dataDir),
]

const spareFolderOf = (dataDir: string): string =>
  `/tmp/millseal-${createHash('sha256').update(dataDir).digest('hex').slice(0, 20)}`
