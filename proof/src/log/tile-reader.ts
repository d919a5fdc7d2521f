import type { Hashing } from '../primitives.ts'
import { type Hash, hashBytes, nodeHash } from './merkle-hash.ts'
import type { NodeReader } from './subtrees.ts'
import { tileHeight, tileOfHash, tilePath, type TilePlace, tileWidth } from './tiles.ts'

/**
 * The hashes of a tile and the rows above them: row n + 1 has a hash for each pair of row n. One buffer
 * of 16 KiB, because objects would need four times the memory.
 */
export type TileNodes = { readonly width: number; readonly bytes: Uint8Array }

/** Resolves with this tile, or with the full tile that replaced it. */
export type TileSource = (place: TilePlace) => Promise<TileNodes>

export const hashesOf = (tile: Uint8Array): Hash[] =>
  Array.from({ length: Math.floor(tile.length / hashBytes) }, (_, at) =>
    tile.subarray(at * hashBytes, (at + 1) * hashBytes),
  )

/** Computes all rows of a tile, so that callers can cache them. */
export const nodesOf = (hashes: readonly Hash[], hashing: Hashing): TileNodes => {
  const nodes = { width: hashes.length, bytes: new Uint8Array(2 * tileWidth * hashBytes) }
  for (const [at, hash] of hashes.entries()) nodes.bytes.set(hash, offsetOf(0, at))
  for (let height = 1; height < tileHeight; height += 1) {
    for (let at = 0; at < nodes.width >> height; at += 1) {
      const below = offsetOf(height - 1, 2 * at)
      const left = nodes.bytes.subarray(below, below + hashBytes)
      const right = nodes.bytes.subarray(below + hashBytes, below + 2 * hashBytes)
      nodes.bytes.set(nodeHash(left, right, hashing), offsetOf(height, at))
    }
  }
  return nodes
}

/** Undefined if the tile is too short. */
export const nodeAt = (
  { width, bytes }: TileNodes,
  { height, at }: { readonly height: number; readonly at: number },
): Hash | undefined => {
  const offset = offsetOf(height, at)
  return at < width >> height ? bytes.subarray(offset, offset + hashBytes) : undefined
}

/** Each row follows the one below it and has half the size. */
const offsetOf = (height: number, at: number): number =>
  (2 * tileWidth - ((2 * tileWidth) >> height) + at) * hashBytes

/** Reads the nodes of a tree of `size` leaves from its tiles, each tile once per call. */
export const readNodesFromTiles = ({
  size,
  readTile,
}: {
  readonly size: number
  readonly readTile: TileSource
}): NodeReader => {
  return async (places) => {
    const tiles = new Map<string, Promise<TileNodes>>()
    const read = (place: TilePlace): Promise<TileNodes> => {
      const path = tilePath(place)
      const nodes = tiles.get(path) ?? readTile(place)
      tiles.set(path, nodes)
      return nodes
    }
    return await Promise.all(
      places.map(async ({ level, index }) => {
        const height = level % tileHeight
        const first = index * 2 ** height
        const place = tileOfHash({ level: (level - height) / tileHeight, index: first, size })
        const hash = nodeAt(await read(place), { height, at: (first % tileWidth) / 2 ** height })
        if (hash === undefined) throw new RangeError(`${tilePath(place)} is too short`)
        return hash
      }),
    )
  }
}
