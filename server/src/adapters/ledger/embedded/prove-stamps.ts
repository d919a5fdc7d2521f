import {
  checkpointIn,
  nodesOf,
  originOf,
  proveInclusion,
  readNodesFromTiles,
  tileWidth,
  verifyInclusion,
} from '@millseal/proof'
import { nodePrimitives } from '@millseal/proof/node'
import type { LogFiles, ProvenStamp } from '../../../ports/ledger/log-files.ts'
import { createStampFinder } from './find-stamps.ts'
import { LedgerDamaged } from './ledger-damaged.ts'
import type { StoredStamp } from './stamp-files.ts'
import type { TileFolder } from './tile-folder.ts'

export const createStampProver = (folder: TileFolder): LogFiles['proveStamps'] => {
  const findStamps = createStampFinder(folder.files)
  return async (index) => {
    const note = await folder.readCheckpoint()
    if (note === undefined || index >= checkpointIn(note).size) return undefined
    const stamps = await findStamps({ origin: originOf(note), index })
    return await Promise.all(stamps.map((stamp) => prove(folder, { index, stamp })))
  }
}

const prove = async (
  folder: TileFolder,
  { index, stamp: { checkpoint, token } }: { readonly index: number; readonly stamp: StoredStamp },
): Promise<ProvenStamp> => {
  const { size, root } = checkpointIn(checkpoint)
  const read = readNodesFromTiles({
    size,
    readTile: async (place) => nodesOf(await folder.readTile(place), nodePrimitives),
  })
  const path = await proveInclusion({ index, size }, { read, hashing: nodePrimitives })
  const first = index - (index % tileWidth)
  const tile = { level: 0, index: first / tileWidth, width: Math.min(tileWidth, size - first) }
  const leaf = (await folder.readTile(tile))[index % tileWidth]
  if (leaf === undefined || !verifyInclusion({ index, size, leaf, path, root }, nodePrimitives))
    throw new LedgerDamaged(`The stamped checkpoint of ${size} entries is not one of this log`)
  return { kind: 'rfc3161', checkpoint, path, token }
}
