import { randomUUID } from 'node:crypto'
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Bytes in one part, or in several that follow each other. */
export type NamedBytes = { readonly name: string; readonly bytes: Uint8Array | readonly Uint8Array[] }

/** The files of a node. Only one process may write them. */
export type NodeFiles = {
  /** Undefined if there is no such file. */
  read(name: string): Promise<Uint8Array | undefined>
  /** Resolves when all are on disk. After a crash before that, each is as it was or as it should be. */
  write(files: readonly NamedBytes[]): Promise<void>
  within(folder: string): NodeFiles
}

export const createFolderFiles = (path: string): NodeFiles => ({
  read: (name) =>
    readFile(join(path, name)).catch((error: unknown) => {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
      throw error
    }),
  async write(files) {
    const folders = new Set(files.flatMap(({ name }) => foldersOf(path, dirname(name))))
    for (const folder of [...folders].toReversed()) await mkdir(folder, { recursive: true, mode: 0o700 })
    await Promise.all(files.map(({ name, bytes }) => replaceFile(join(path, name), bytes)))
    // A new name is on disk only after its folder is flushed.
    await Promise.all([...folders].map(flushFolder))
  },
  within: (folder) => createFolderFiles(join(path, folder)),
})

/** The folder itself, and those above it up to the root, the deepest first. */
const foldersOf = (root: string, folder: string): readonly string[] => {
  const here = join(root, folder)
  return folder === '.' ? [here] : [here, ...foldersOf(root, dirname(folder))]
}

/** Only the node may read them: some are private keys. */
const replaceFile = async (path: string, bytes: NamedBytes['bytes']): Promise<void> => {
  const own = join(dirname(path), `.${randomUUID()}`)
  try {
    await writeFlushed(own, bytes)
    await rename(own, path)
  } finally {
    await rm(own, { force: true })
  }
}

const writeFlushed = async (path: string, bytes: NamedBytes['bytes']): Promise<void> => {
  await using file = await open(path, 'wx', 0o600)
  await file.writeFile(bytes)
  await file.datasync()
}

const flushFolder = async (path: string): Promise<void> => {
  await using folder = await open(path, 'r')
  await folder.sync()
}
