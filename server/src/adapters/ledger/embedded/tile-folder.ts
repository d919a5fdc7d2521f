import { closeSync, openSync, readFileSync, readSync } from 'node:fs'
import { randomUUID } from 'node:crypto'
import { readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import {
  entriesPath,
  type Hash,
  hashesOf,
  readEntries,
  type Tile,
  tilePath,
  type TilePlace,
  tileWidth,
  writeEntries,
} from '@millseal/proof'
import { LedgerDamaged } from './damaged.ts'
import { flushFolder, isMissing, type NewFile, writeDurably, writeFlushed } from './durable-files.ts'

export type BundlePlace = Omit<TilePlace, 'level'>
export type Bundle = BundlePlace & { readonly entries: readonly Uint8Array[] }

export type PreparedCheckpoint = {
  /** Takes the place of the checkpoint `expected`; throws when another one is there. */
  publish(expected: string | undefined): Promise<void>
}

/** The files of one log, laid out as C2SP tlog-tiles serves them. */
export type TileFolder = {
  readonly path: string
  readCheckpoint(): string | undefined
  /** These hashes, also where a full tile has taken the place of the one asked for; throws `LedgerDamaged`. */
  readTile(place: TilePlace): Promise<readonly Hash[]>
  readBundle(place: BundlePlace): Promise<readonly Uint8Array[]>
  /** One entry alone. Its bytes are whatever is on disk there. */
  readEntry(place: BundlePlace, at: { readonly offset: number; readonly length: number }): Promise<Uint8Array>
  /** On disk when it resolves. Nobody reads them before a checkpoint says that they are there. */
  write(tiles: readonly Tile[], bundles: readonly Bundle[]): Promise<void>
  /** On disk when it resolves, but not yet in force. */
  prepare(note: string): Promise<PreparedCheckpoint>
  /** Of whoever was ended before publishing. */
  removePrepared(): Promise<void>
  /** Removes the unfinished predecessors of full tiles. */
  clean(tiles: readonly Tile[], bundles: readonly Bundle[]): Promise<void>
}

export const openTileFolder = (path: string): TileFolder => {
  const readCheckpoint = (): string | undefined =>
    readNow(path, ['checkpoint'], (file) => readFileSync(file, 'utf8'))
  return {
    path,
    readCheckpoint,
    async readTile(place) {
      const own = tilePath(place)
      const hashes = hashesOf(
        readThere(path, [own, tilePath({ ...place, width: tileWidth })], (file) => readFileSync(file)),
      )
      if (hashes.length < place.width) throw new LedgerDamaged(`${own} is too short`)
      return hashes.slice(0, place.width)
    },
    async readBundle(place) {
      const own = entriesPath(place)
      const entries = readEntries(
        readThere(path, [own, entriesPath({ ...place, width: tileWidth })], (file) => readFileSync(file)),
      )
      if (entries === undefined || entries.length < place.width) {
        throw new LedgerDamaged(`${own} does not hold ${place.width} entries`)
      }
      return entries.slice(0, place.width)
    },
    async readEntry(place, { offset, length }) {
      const own = entriesPath(place)
      return readThere(path, [own, entriesPath({ ...place, width: tileWidth })], (file) =>
        readSlice(file, { offset, length }),
      )
    },
    async write(tiles, bundles) {
      await writeDurably(path, [...tiles.map(fileOfTile), ...bundles.map(fileOfBundle)])
    },
    async prepare(note) {
      const own = join(path, `checkpoint.${randomUUID()}`)
      await writeFlushed(own, Buffer.from(note))
      return {
        async publish(expected) {
          if (readCheckpoint() !== expected) throw new Error('Another process has written the checkpoint')
          await rename(own, join(path, 'checkpoint'))
          await flushFolder(path)
        },
      }
    },
    async removePrepared() {
      const left = (await readdir(path)).filter((name) => name.startsWith('checkpoint.'))
      await Promise.all(left.map((name) => rm(join(path, name), { force: true })))
    },
    async clean(tiles, bundles) {
      const full = [...tiles.map(fileOfTile), ...bundles.map(fileOfBundle)].filter(isFull)
      await Promise.all(
        full.map((file) => rm(join(path, `${file.path}.p`), { recursive: true, force: true })),
      )
    },
  }
}

/**
 * The first of these files that is there. At once: waiting for a thread, four times for a file, takes longer than reading
 * these few bytes.
 */
const readNow = <T>(folder: string, names: readonly string[], read: (file: string) => T): T | undefined => {
  for (const name of new Set(names)) {
    try {
      return read(join(folder, name))
    } catch (error) {
      if (!isMissing(error)) throw error
    }
  }
  return undefined
}

const readThere = (folder: string, names: readonly string[], read: (file: string) => Buffer): Buffer => {
  const found = readNow(folder, names, read)
  if (found === undefined) throw new LedgerDamaged(`${names[0]} is missing`)
  return found
}

const readSlice = (
  file: string,
  { offset, length }: { readonly offset: number; readonly length: number },
) => {
  const bytes = Buffer.alloc(length)
  const opened = openSync(file, 'r')
  try {
    return bytes.subarray(0, readSync(opened, bytes, 0, length, offset))
  } finally {
    closeSync(opened)
  }
}

const fileOfTile = (tile: Tile): NewFile => ({ path: tilePath(tile), bytes: Buffer.concat(tile.hashes) })
const fileOfBundle = (bundle: Bundle): NewFile => ({
  path: entriesPath(bundle),
  bytes: writeEntries(bundle.entries),
})
const isFull = ({ path }: NewFile): boolean => !/\.p\/\d+$/.test(path)
