import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { entriesPath, type Tile, tilePath, writeEntries } from '@millseal/proof'
import { flushFolder, type NewFile, writeDurably, writeFlushed } from './durable-files.ts'
import type { Bundle, TileFolder } from './tile-folder.ts'

export type PreparedCheckpoint = {
  /** Takes the place of the checkpoint `expected`; throws when another one is there. */
  publish(expected: string | undefined): Promise<void>
}

/** Whatever is put into the log comes from the desk of its writer, so that nothing does once that is taken away. */
export type TileWriter = TileFolder &
  AsyncDisposable & {
    /** A folder beside the files of the log, on the same disk. */
    readonly desk: string
    /** On disk when it resolves. Nobody reads them before a checkpoint says that they are there. */
    write(tiles: readonly Tile[], bundles: readonly Bundle[]): Promise<void>
    /** On disk when it resolves, but not yet in force. */
    prepare(note: string): Promise<PreparedCheckpoint>
    /** Removes the unfinished predecessors of full tiles. */
    clean(tiles: readonly Tile[], bundles: readonly Bundle[]): Promise<void>
  }

/**
 * For one writer at a time: the one before, should it have been stopped and go on now, can neither finish what it was
 * writing nor publish.
 */
export const openTileWriter = async (folder: TileFolder): Promise<TileWriter> => {
  const { path } = folder
  await takeDesksAway(path)
  const desk = join(path, `${deskPrefix}${randomUUID()}`)
  await mkdir(desk)
  const putOnDesk = async (bytes: Uint8Array): Promise<string> => {
    const own = join(desk, randomUUID())
    await writeFlushed(own, bytes)
    return own
  }
  return {
    ...folder,
    desk,
    async write(tiles, bundles) {
      const files = [...tiles.map(fileOfTile), ...bundles.map(fileOfBundle)]
      await writeDurably(path, files, async (file, bytes) => rename(await putOnDesk(bytes), file))
    },
    async prepare(note) {
      const own = await putOnDesk(Buffer.from(note))
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
    [Symbol.asyncDispose]: () => rm(desk, { recursive: true, force: true }),
  }
}

const deskPrefix = 'writer.'
const takenPrefix = 'taken-from-writer.'

/** A name taken away is gone at once; a folder that is emptied may be written to meanwhile. */
const takeDesksAway = async (path: string): Promise<void> => {
  for (const name of await readdir(path)) {
    if (name.startsWith(deskPrefix))
      await rename(join(path, name), join(path, `${takenPrefix}${randomUUID()}`))
  }
  const taken = (await readdir(path)).filter((name) => name.startsWith(takenPrefix))
  await Promise.all(taken.map((name) => rm(join(path, name), { recursive: true, force: true })))
}

const fileOfTile = (tile: Tile): NewFile => ({ path: tilePath(tile), bytes: Buffer.concat(tile.hashes) })
const fileOfBundle = (bundle: Bundle): NewFile => ({
  path: entriesPath(bundle),
  bytes: writeEntries(bundle.entries),
})
const isFull = ({ path }: NewFile): boolean => !/\.p\/\d+$/.test(path)
