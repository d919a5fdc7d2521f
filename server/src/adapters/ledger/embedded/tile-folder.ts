import {
  entriesPath,
  type Hash,
  hashesOf,
  readEntries,
  tilePath,
  type TilePlace,
  tileWidth,
} from '@millseal/proof'
import type { ByteRange, Files, ReadableFiles } from '../../../ports/files/files.ts'
import { LedgerDamaged } from './ledger-damaged.ts'

export type BundlePlace = Omit<TilePlace, 'level'>
export type Bundle = BundlePlace & { readonly entries: readonly Uint8Array[] }

/** Read access to the files of one log, in the layout of C2SP tlog-tiles. */
export type TileFolder = {
  /** With names relative to the log. */
  readonly files: ReadableFiles
  readCheckpoint(): Promise<string | undefined>
  /** Also reads from a full tile that has replaced the requested one. Throws `LedgerDamaged`. */
  readTile(place: TilePlace): Promise<readonly Hash[]>
  readBundle(place: BundlePlace): Promise<readonly Uint8Array[]>
  /** The bytes of one entry, unverified. */
  readEntry(place: BundlePlace, at: ByteRange): Promise<Uint8Array>
}

/** The folder of a log that this installation writes. */
export type OwnTileFolder = TileFolder & { readonly files: Files }

export const openTileFolder = <F extends ReadableFiles>(files: F): TileFolder & { readonly files: F } => ({
  files,
  readCheckpoint: async () => (await files.read('checkpoint'))?.toString('utf8'),
  async readTile(place) {
    const own = tilePath(place)
    const full = tilePath({ ...place, width: tileWidth })
    const hashes = hashesOf(await readEither([own, full], files.read))
    if (hashes.length < place.width) throw new LedgerDamaged(`${own} is too short`)
    return hashes.slice(0, place.width)
  },
  async readBundle(place) {
    const own = entriesPath(place)
    const full = entriesPath({ ...place, width: tileWidth })
    const entries = readEntries(await readEither([own, full], files.read))
    if (entries === undefined || entries.length < place.width) {
      throw new LedgerDamaged(`${own} does not contain ${place.width} entries`)
    }
    return entries.slice(0, place.width)
  },
  readEntry(place, at) {
    const full = entriesPath({ ...place, width: tileWidth })
    return readEither([entriesPath(place), full], (name) => files.readRange(name, at))
  },
})

/** The first of these files that exists. */
const readEither = async (
  names: readonly string[],
  read: (name: string) => Promise<Buffer | undefined>,
): Promise<Buffer> => {
  for (const name of new Set(names)) {
    const found = await read(name)
    if (found !== undefined) return found
  }
  throw new LedgerDamaged(`${names[0]} is missing`)
}
