import {
  type Checkpoint,
  edgeTilesOf,
  entriesPath,
  type Hash,
  isStateLeaf,
  leafHash,
  nodeAt,
  nodesOf,
  tileHeight,
  tilePath,
  type TilePlace,
  tileWidth,
  timeOfStateLeaf,
} from '@millseal/proof'
import { nodePrimitives } from '@millseal/proof/node'
import { LedgerDamaged } from './ledger-damaged.ts'
import { readVerifiedEntry } from '@millseal/replay'
import type { TileFolder } from './tile-folder.ts'

/** An entry could not be read at the place that the index names. */
export const findDamageOfEntry = async (
  folder: TileFolder,
  { index, size }: { readonly index: number; readonly size: number },
): Promise<LedgerDamaged> => {
  const place = bundleOf(index, size)
  const entries = await folder.readBundle(place)
  const entry = entries[index % tileWidth]
  return entry !== undefined && isValid(entry)
    ? new LedgerDamaged(`the index in the database has a wrong place for entry ${index}`)
    : new LedgerDamaged(`${entriesPath(place)}: entry ${index} is not a valid transaction`)
}

/** Compares each tile of a proof with what is below it. */
export const findDamageOfProof = async (
  folder: TileFolder,
  {
    index,
    leaf,
    checkpoint: { size },
  }: { readonly index: number; readonly leaf: Hash; readonly checkpoint: Checkpoint },
): Promise<LedgerDamaged> => {
  for (const place of tilesOfProof(index, size)) {
    const stored = await folder.readTile(place)
    const expected = place.level === 0 ? await leavesOf(folder, place) : await rootsBelow(folder, place)
    const differs = expected.findIndex(
      (hash, at) => Buffer.compare(hash, stored[at] ?? Buffer.alloc(0)) !== 0,
    )
    if (differs >= 0) return new LedgerDamaged(`${tilePath(place)} is not the tree of what is below it`)
  }
  const [own] = (await leavesOf(folder, { level: 0, ...bundleOf(index, size) })).slice(index % tileWidth)
  return own !== undefined && Buffer.compare(own, leaf) !== 0
    ? new LedgerDamaged(`the index in the database has a wrong place for entry ${index}`)
    : new LedgerDamaged('checkpoint: it is not the root of the tiles')
}

const leavesOf = async (folder: TileFolder, place: TilePlace): Promise<Hash[]> => {
  const entries = await folder.readBundle(place)
  const invalid = entries.findIndex((entry) => !isValid(entry))
  if (invalid >= 0)
    throw new LedgerDamaged(
      `${entriesPath(place)}: entry ${place.index * tileWidth + invalid} is not a valid transaction`,
    )
  return entries.map((entry) => leafHash(entry, nodePrimitives))
}

const rootsBelow = async (folder: TileFolder, { level, index, width }: TilePlace): Promise<Hash[]> => {
  const roots: Hash[] = []
  for (let at = 0; at < width; at += 1) {
    const below = { level: level - 1, index: index * tileWidth + at, width: tileWidth }
    const nodes = nodesOf(await folder.readTile(below), nodePrimitives)
    const halves = [0, 1].flatMap((half) => nodeAt(nodes, { height: tileHeight - 1, at: half }) ?? [])
    roots.push(nodeAt(nodesOf(halves, nodePrimitives), { height: 1, at: 0 }) ?? Buffer.alloc(0))
  }
  return roots
}

const bundleOf = (index: number, size: number): Omit<TilePlace, 'level'> => {
  const bundle = Math.floor(index / tileWidth)
  return { index: bundle, width: Math.min(tileWidth, size - bundle * tileWidth) }
}

/** The tiles above the entry, and the last one of each level, lowest level first. */
const tilesOfProof = (index: number, size: number): TilePlace[] => {
  const places: TilePlace[] = edgeTilesOf(size)
  for (let level = 0, at = index; size >= tileWidth ** level; level += 1) {
    at = Math.floor(at / tileWidth)
    const width = Math.min(tileWidth, Math.floor(size / tileWidth ** level) - at * tileWidth)
    if (width > 0) places.push({ level, index: at, width })
  }
  return places.toSorted((one, other) => one.level - other.level)
}

const isValid = (entry: Uint8Array): boolean => {
  try {
    if (isStateLeaf(entry)) timeOfStateLeaf(entry)
    else readVerifiedEntry(entry, nodePrimitives)
    return true
  } catch {
    return false
  }
}
