import { type Hash, hashBytes, type Hashing, nodeHash } from './merkle-hash.ts'
import type { NodeReader } from './subtrees.ts'
import { tileHeight, tileOfHash, tilePath, type TilePlace, tileWidth } from './tiles.ts'

/** The hashes of a tile, and above them those that follow: row n + 1 has one for each pair of row n. */
export type TileRows = readonly (readonly Hash[])[]

/** Resolves with this tile, or with the full tile that has replaced it. */
export type TileSource = (place: TilePlace) => Promise<TileRows>

export const hashesOf = (tile: Uint8Array): Hash[] =>
  Array.from({ length: Math.floor(tile.length / hashBytes) }, (_, at) =>
    tile.subarray(at * hashBytes, (at + 1) * hashBytes),
  )

/** All a tile can be asked for; whoever keeps it saves the hashing. */
export const rowsOf = (hashes: readonly Hash[], hashing: Hashing): TileRows => {
  const rows: Hash[][] = [[...hashes]]
  for (let height = 1; height < tileHeight; height += 1) {
    const below = rows.at(-1) ?? []
    const row: Hash[] = []
    for (let at = 0; at + 1 < below.length; at += 2) {
      const [left, right] = [below[at], below[at + 1]]
      if (left !== undefined && right !== undefined) row.push(nodeHash(left, right, hashing))
    }
    rows.push(row)
  }
  return rows
}

/** Reads the nodes of a tree of `size` leaves from its tiles, each tile once for each question. */
export const readNodesFromTiles = ({
  size,
  readTile,
}: {
  readonly size: number
  readonly readTile: TileSource
}): NodeReader => {
  return async (places) => {
    const tiles = new Map<string, Promise<TileRows>>()
    const read = (place: TilePlace): Promise<TileRows> => {
      const path = tilePath(place)
      const rows = tiles.get(path) ?? readTile(place)
      tiles.set(path, rows)
      return rows
    }
    return await Promise.all(
      places.map(async ({ level, index }) => {
        const height = level % tileHeight
        const first = index * 2 ** height
        const place = tileOfHash({ level: (level - height) / tileHeight, index: first, size })
        const hash = (await read(place))[height]?.[(first % tileWidth) / 2 ** height]
        if (hash === undefined) throw new RangeError(`${tilePath(place)} is too short`)
        return hash
      }),
    )
  }
}
