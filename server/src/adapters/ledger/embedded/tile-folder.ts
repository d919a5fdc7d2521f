import { closeSync, openSync, readFileSync, readSync } from 'node:fs'
import { join } from 'node:path'
import {
  entriesPath,
  type Hash,
  hashesOf,
  readEntries,
  tilePath,
  type TilePlace,
  tileWidth,
} from '@millseal/proof'
import { LedgerDamaged } from './ledger-damaged.ts'
import { isMissing } from './durable-files.ts'

export type BundlePlace = Omit<TilePlace, 'level'>
export type Bundle = BundlePlace & { readonly entries: readonly Uint8Array[] }

/** Read access to the files of one log, in the layout of C2SP tlog-tiles. */
export type TileFolder = {
  readonly path: string
  readCheckpoint(): string | undefined
  /** Also reads from a full tile that has replaced the requested one. Throws `LedgerDamaged`. */
  readTile(place: TilePlace): Promise<readonly Hash[]>
  readBundle(place: BundlePlace): Promise<readonly Uint8Array[]>
  /** The bytes of one entry, unverified. */
  readEntry(place: BundlePlace, at: { readonly offset: number; readonly length: number }): Promise<Uint8Array>
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
        throw new LedgerDamaged(`${own} does not contain ${place.width} entries`)
      }
      return entries.slice(0, place.width)
    },
    async readEntry(place, { offset, length }) {
      const own = entriesPath(place)
      return readThere(path, [own, entriesPath({ ...place, width: tileWidth })], (file) =>
        readSlice(file, { offset, length }),
      )
    },
  }
}

/**
 * Reads the first of these files that exists. Synchronously: waiting for a thread, four times per file, takes longer than
 * reading these few bytes.
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
