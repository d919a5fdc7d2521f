import { mkdir, open } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { assertFileName, type NewFile } from '../../ports/files/files.ts'

/** Resolves when all files are on disk under their names, including their folders. */
export const writeDurably = async (
  root: string,
  files: readonly NewFile[],
  write: typeof writeFlushed = writeFlushed,
): Promise<void> => {
  const folders = new Set<string>()
  for (const { name } of files) {
    const folder = dirname(join(root, assertFileName(name)))
    if (folders.has(folder)) continue
    const made = await mkdir(folder, { recursive: true })
    folders.add(folder)
    if (made !== undefined) for (const above of foldersBetween(dirname(made), folder)) folders.add(above)
  }
  await Promise.all(files.map(({ name, bytes }) => write(join(root, name), bytes)))
  await Promise.all([...folders].map(flushFolder))
}

export const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')

export const writeFlushed = async (path: string, bytes: Uint8Array): Promise<void> => {
  await using file = await open(path, 'w')
  await file.writeFile(bytes)
  await file.datasync()
}

/** A new name is on disk only after its folder is flushed. */
export const flushFolder = async (path: string): Promise<void> => {
  await using folder = await open(path, 'r')
  await folder.sync()
}

const foldersBetween = (top: string, bottom: string): string[] => {
  const names = bottom
    .slice(top.length)
    .split(sep)
    .filter((name) => name !== '')
  return names.map((_, depth) => join(top, ...names.slice(0, depth)))
}
