import {
  concatBytes,
  entriesPath,
  type Hash,
  hashesOf,
  isTileOf,
  leafHash,
  nodesOf,
  parseTilePath,
  readEntries,
  type Tile,
  type TileNodes,
  tilePath,
  type TilePlace,
  tileWidth,
  writeEntries,
} from '@millseal/proof'
import { nodePrimitives } from '@millseal/proof/node'
import type { NamedBytes, NodeFiles } from './files.ts'

const hashBytes = 32
const usualBundles = 8

/** The tiles of a copy: one file for each, as wide as it is known. A narrower one is its beginning. */
export type StoredTiles = {
  readEntry(index: number): Promise<Uint8Array>
  /** The entries from `from` up to, not including, `to`. */
  readRange(from: number, to: number): Promise<readonly Uint8Array[]>
  readTile(place: TilePlace): Promise<TileNodes>
  /** The file of a log of `size` entries at this path, such as `tile/0/000.p/17`. Undefined if it has none there. */
  readFile(path: string, size: number): Promise<Uint8Array | undefined>
  /** The files of the entries after the first `size`, and of the tiles above them. */
  filesFor(
    size: number,
    grown: { readonly entries: readonly Uint8Array[]; readonly tiles: readonly Tile[] },
  ): Promise<readonly NamedBytes[]>
  /** Call after they were written. */
  forget(): void
}

export const createStoredTiles = (
  files: NodeFiles,
  { mostBundles = usualBundles }: { readonly mostBundles?: number } = {},
): StoredTiles => {
  const { readBundle, readRange, forget } = createBundles(files, mostBundles)
  const readHashes = async (place: {
    readonly level: number
    readonly index: number
  }): Promise<readonly Hash[]> => {
    const bytes = await files.read(tilePath({ ...place, width: tileWidth }))
    return hashesOf(bytes ?? new Uint8Array())
  }
  return {
    readRange,
    async readEntry(index) {
      const place = Math.floor(index / tileWidth)
      const entry = (await readBundle(place))[index % tileWidth]
      const hash = (await readHashes({ level: 0, index: place }))[index % tileWidth]
      // A damaged copy must not make the log look dishonest.
      if (entry === undefined || hash === undefined || !equals(leafHash(entry, nodePrimitives), hash))
        throw new Error(`The entry ${index} of the copy is damaged: see docs/node.md`)
      return entry
    },
    async readTile({ level, index, width }) {
      const hashes = await readHashes({ level, index })
      if (hashes.length < width) throw new Error(`The copy lacks ${tilePath({ level, index, width })}`)
      return nodesOf(hashes.slice(0, width), nodePrimitives)
    },
    async readFile(path, size) {
      const address = parseTilePath(path)
      if (address === undefined || !isTileOf(size, address)) return undefined
      const { level, index, width } = address
      if (level === 'entries') return writeEntries((await readBundle(index)).slice(0, width))
      const bytes = await files.read(tilePath({ level, index, width: tileWidth }))
      return bytes?.subarray(0, width * hashBytes)
    },
    async filesFor(size, { entries, tiles }) {
      const first = Math.floor(size / tileWidth)
      const all = [...(await readRange(first * tileWidth, size)), ...entries]
      const written = Array.from({ length: Math.ceil(all.length / tileWidth) }, (_, at) => ({
        name: entriesPath({ index: first + at, width: tileWidth }),
        bytes: writeEntries(all.slice(at * tileWidth, (at + 1) * tileWidth)),
      }))
      const hashes = tiles.map(({ level, index, hashes: row }) => ({
        name: tilePath({ level, index, width: tileWidth }),
        bytes: concatBytes(...row),
      }))
      return [...written, ...hashes]
    },
    forget,
  }
}

/** The last ones that were read are kept. */
const createBundles = (files: NodeFiles, mostBundles: number) => {
  const bundles = new Map<number, Promise<readonly Uint8Array[]>>()
  const readBundle = (index: number): Promise<readonly Uint8Array[]> => {
    const known = bundles.get(index) ?? loadBundle(files, index)
    bundles.delete(index)
    bundles.set(index, known)
    const [oldest] = bundles.keys()
    if (bundles.size > mostBundles && oldest !== undefined) bundles.delete(oldest)
    return known
  }
  const readRange = async (from: number, to: number): Promise<readonly Uint8Array[]> => {
    const entries: Uint8Array[] = []
    for (let bundle = Math.floor(from / tileWidth); bundle * tileWidth < to; bundle += 1) {
      const start = bundle * tileWidth
      entries.push(...(await readBundle(bundle)).slice(Math.max(0, from - start), to - start))
    }
    if (entries.length !== Math.max(0, to - from))
      throw new Error(`The copy lacks entries between ${from} and ${to}`)
    return entries
  }
  return { readBundle, readRange, forget: () => bundles.clear() }
}

const equals = (one: Uint8Array, other: Uint8Array): boolean => Buffer.compare(one, other) === 0

const loadBundle = async (files: NodeFiles, index: number): Promise<readonly Uint8Array[]> => {
  const bytes = await files.read(entriesPath({ index, width: tileWidth }))
  return (bytes && readEntries(bytes)) ?? []
}
