import {
  checkpointIn,
  nodesOf,
  originOf,
  proveInclusion,
  type ProvenStamp,
  readNodesFromTiles,
  tileWidth,
  verifyInclusion,
} from '@millseal/proof'
import { nodePrimitives } from '@millseal/proof/node'
import type { LogFiles } from '../../../ports/ledger/log-files.ts'
import { createStampFinder } from './find-stamps.ts'
import type { StoredStamp } from './stamp-files.ts'
import type { TileFolder } from './tile-folder.ts'

export const createStampProver = (folder: TileFolder): LogFiles['proveStamps'] => {
  const findStamps = createStampFinder(folder.files)
  return async (index) => {
    const note = await folder.readCheckpoint()
    if (note === undefined || index >= checkpointIn(note).size) return undefined
    const stamps = await findStamps({ origin: originOf(note), index })
    return (await Promise.all(stamps.map((stamp) => prove(folder, { index, stamp })))).flat()
  }
}

/** Nothing if the checkpoint is not one of this log: a stamp only adds to what the log proves. */
const prove = async (
  folder: TileFolder,
  { index, stamp: { checkpoint, token } }: { readonly index: number; readonly stamp: StoredStamp },
): Promise<readonly ProvenStamp[]> => {
  const { size, root } = checkpointIn(checkpoint)
  const read = readNodesFromTiles({
    size,
    readTile: async (place) => nodesOf(await folder.readTile(place), nodePrimitives),
  })
  const path = await proveInclusion({ index, size }, { read, hashing: nodePrimitives })
  const first = index - (index % tileWidth)
  const tile = { level: 0, index: first / tileWidth, width: Math.min(tileWidth, size - first) }
  const leaf = (await folder.readTile(tile))[index % tileWidth]
  const isProven = leaf !== undefined && verifyInclusion({ index, size, leaf, path, root }, nodePrimitives)
  return isProven ? [{ kind: 'rfc3161', checkpoint, path, token }] : []
}
