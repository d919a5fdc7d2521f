import { join } from 'node:path'
import { isTileOf, checkpointIn, parseTilePath } from '@millseal/proof'
import type { LogFiles } from '../../../ports/ledger/log-files.ts'
import { readIfPresent } from './durable-files.ts'
import { readFrozen } from './frozen-logs.ts'
import type { TileFolder } from './tile-folder.ts'

/** Works in any process that can read the folder. */
export const createLogFiles = (folder: TileFolder): LogFiles => ({
  readCheckpoint: async () => folder.readCheckpoint(),
  async readKey() {
    return (await readIfPresent(join(folder.path, 'vkey')))?.toString('utf8')
  },
  readFrozen: (number) => readFrozen(folder.path, number),
  async readTile(path) {
    const tile = parseTilePath(path)
    const note = folder.readCheckpoint()
    if (tile === undefined || note === undefined) return undefined
    // Files that the checkpoint does not cover may still change.
    if (!isTileOf(checkpointIn(note).size, tile)) return undefined
    return await readIfPresent(join(folder.path, path))
  },
})
