import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { entriesPath, type Tile, tilePath, writeEntries } from '@millseal/proof'
import { flushFolder, type NewFile, writeDurably, writeFlushed } from './durable-files.ts'
import type { Bundle, TileFolder } from './tile-folder.ts'

export type PreparedCheckpoint = {
  /** Replaces the checkpoint `expected`. Throws if there is a different one. */
  publish(expected: string | undefined): Promise<void>
}

/** All files of the log come from the staging folder of its writer: once that is removed, the writer cannot add any. */
export type TileWriter = TileFolder &
  AsyncDisposable & {
    /** Beside the files of the log, on the same disk. */
    readonly stagingFolder: string
    /** Resolves when they are on disk. They are not read before a checkpoint covers them. */
    write(tiles: readonly Tile[], bundles: readonly Bundle[]): Promise<void>
    /** Resolves when it is on disk, but not yet published. */
    prepare(note: string): Promise<PreparedCheckpoint>
    /** Deletes the unfinished predecessors of full tiles. */
    clean(tiles: readonly Tile[], bundles: readonly Bundle[]): Promise<void>
  }

/**
 * For one writer at a time: a previous writer that was suspended and continues now can neither finish its writes nor
 * publish.
 */
export const openTileWriter = async (folder: TileFolder): Promise<TileWriter> => {
  const { path } = folder
  await removeStagingFolders(path)
  const stagingFolder = join(path, `${stagingPrefix}${randomUUID()}`)
  await mkdir(stagingFolder)
  const stage = async (bytes: Uint8Array): Promise<string> => {
    const own = join(stagingFolder, randomUUID())
    await writeFlushed(own, bytes)
    return own
  }
  return {
    ...folder,
    stagingFolder,
    async write(tiles, bundles) {
      const files = [...tiles.map(fileOfTile), ...bundles.map(fileOfBundle)]
      await writeDurably(path, files, async (file, bytes) => rename(await stage(bytes), file))
    },
    async prepare(note) {
      const own = await stage(Buffer.from(note))
      return {
        async publish(expected) {
          if (folder.readCheckpoint() !== expected)
            throw new Error('Another process has written the checkpoint')
          await rename(own, join(path, 'checkpoint'))
          await flushFolder(path)
        },
      }
    },
    async clean(tiles, bundles) {
      const full = [...tiles.map(fileOfTile), ...bundles.map(fileOfBundle)].filter(isFull)
      await Promise.all(
        full.map((file) => rm(join(path, `${file.path}.p`), { recursive: true, force: true })),
      )
    },
    [Symbol.asyncDispose]: () => rm(stagingFolder, { recursive: true, force: true }),
  }
}

const stagingPrefix = 'writer.'
const removedPrefix = 'taken-from-writer.'

/** Renames before deleting: a rename is immediate, while a folder can still be written to during its deletion. */
const removeStagingFolders = async (path: string): Promise<void> => {
  for (const name of await readdir(path)) {
    if (name.startsWith(stagingPrefix))
      await rename(join(path, name), join(path, `${removedPrefix}${randomUUID()}`))
  }
  const removed = (await readdir(path)).filter((name) => name.startsWith(removedPrefix))
  await Promise.all(removed.map((name) => rm(join(path, name), { recursive: true, force: true })))
}

const fileOfTile = (tile: Tile): NewFile => ({ path: tilePath(tile), bytes: Buffer.concat(tile.hashes) })
const fileOfBundle = (bundle: Bundle): NewFile => ({
  path: entriesPath(bundle),
  bytes: writeEntries(bundle.entries),
})
const isFull = ({ path }: NewFile): boolean => !/\.p\/\d+$/.test(path)
