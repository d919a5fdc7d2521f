import type { Hashing } from '../primitives.ts'
import { type Hash, nodeHash } from './merkle-hash.ts'
import { foldHashes } from './subtrees.ts'
import { nodeAt, nodesOf } from './tile-reader.ts'
import { hashesAtLevel, tileHeight, type TilePlace, tileWidth } from './tiles.ts'

/** The state for appending to a tree. Immutable, so that a failed write changes nothing. */
export type TreeEdge = {
  readonly size: number
  /** The roots of the complete subtrees, largest first: one for each bit of the size. */
  readonly peaks: readonly Hash[]
  /** The hashes of the last, partial tile of each level. */
  readonly tiles: readonly (readonly Hash[])[]
}

export type Tile = TilePlace & { readonly hashes: readonly Hash[] }

export const emptyTree: TreeEdge = { size: 0, peaks: [], tiles: [] }

export const rootOf = ({ peaks }: TreeEdge, hashing: Hashing): Hash => foldHashes(peaks, hashing)

export type Growing = {
  readonly tree: TreeEdge
  /** All tiles that are new or wider than before. */
  readonly changed: readonly Tile[]
}

export const growTree = (tree: TreeEdge, leaves: readonly Hash[], hashing: Hashing): Growing => {
  const peaks = [...tree.peaks]
  const tiles = tree.tiles.map((hashes) => [...hashes])
  const full: Tile[] = []
  const put = (level: number, hash: Hash, index: number): void => {
    const hashes = (tiles[level] ??= [])
    hashes.push(hash)
    if (hashes.length < tileWidth) return
    full.push({ level, index: Math.floor(index / tileWidth), width: tileWidth, hashes })
    tiles[level] = []
  }
  let size = tree.size
  for (const leaf of leaves) {
    put(0, leaf, size)
    let hash = leaf
    let index = size
    // For each trailing one bit of the size, two subtrees merge (RFC 6962 §2.1).
    for (let level = 1; index % 2 === 1; level += 1) {
      hash = nodeHash(peaks.pop() ?? hash, hash, hashing)
      index = (index - 1) / 2
      if (level % tileHeight === 0) put(level / tileHeight, hash, index)
    }
    peaks.push(hash)
    size += 1
  }
  const grown = { size, peaks, tiles }
  return { tree: grown, changed: [...full, ...changedEdges(tree, grown)] }
}

const changedEdges = (before: TreeEdge, { size, tiles }: TreeEdge): Tile[] =>
  tiles.flatMap((hashes, level) => {
    const unchanged = hashesAtLevel(before.size, level) === hashesAtLevel(size, level)
    if (hashes.length === 0 || unchanged) return []
    return [
      { level, index: Math.floor(hashesAtLevel(size, level) / tileWidth), width: hashes.length, hashes },
    ]
  })

/** The partial tiles of a tree of `size` leaves, lowest level first. */
export const edgeTilesOf = (size: number): TilePlace[] => {
  const places: TilePlace[] = []
  for (let level = 0; hashesAtLevel(size, level) > 0; level += 1) {
    const hashes = hashesAtLevel(size, level)
    const width = hashes % tileWidth
    if (width > 0) places.push({ level, index: Math.floor(hashes / tileWidth), width })
  }
  return places
}

/** Restores a tree from the tiles of `edgeTilesOf(size)`. The caller must compare the root. */
export const restoreTree = (size: number, edge: readonly Tile[], hashing: Hashing): TreeEdge => {
  const tiles: Hash[][] = []
  for (let level = 0; hashesAtLevel(size, level) > 0; level += 1) {
    tiles.push([...(edge.find((tile) => tile.level === level)?.hashes ?? [])])
  }
  return { size, peaks: tiles.toReversed().flatMap((hashes) => peaksOf(hashes, hashing)), tiles }
}

/** The last hash of each row without a sibling, top row first. */
const peaksOf = (hashes: readonly Hash[], hashing: Hashing): Hash[] => {
  const nodes = nodesOf(hashes, hashing)
  return Array.from({ length: tileHeight }, (_, height) => {
    const count = nodes.width >> height
    return count % 2 === 1 ? nodeAt(nodes, { height, at: count - 1 }) : undefined
  })
    .filter((peak) => peak !== undefined)
    .toReversed()
}
