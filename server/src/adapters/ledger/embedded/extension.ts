import {
  type Hash,
  nodesOf,
  proveConsistency,
  readNodesFromTiles,
  type TreeHead,
  verifyConsistency,
} from '@millseal/proof'
import { nodePrimitives } from '@millseal/proof/node'
import type { TileFolder } from './tile-folder.ts'

/** That the first `oldSize` entries of a log of `newSize` entries were not changed, from its tiles. */
export const proveExtension = async (
  folder: TileFolder,
  growth: { readonly oldSize: number; readonly newSize: number },
): Promise<readonly Hash[]> => {
  const read = readNodesFromTiles({
    size: growth.newSize,
    readTile: async (place) => nodesOf(await folder.readTile(place), nodePrimitives),
  })
  return await proveConsistency(growth, { read, hashing: nodePrimitives })
}

export const isExtension = async (
  folder: TileFolder,
  { newer, older }: { readonly newer: TreeHead; readonly older: TreeHead },
): Promise<boolean> => {
  const growth = { oldSize: older.size, newSize: newer.size }
  const proof = await proveExtension(folder, growth)
  return verifyConsistency({ ...growth, oldRoot: older.root, newRoot: newer.root, proof }, nodePrimitives)
}
