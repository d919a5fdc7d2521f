import { isTileOf, checkpointIn, parseTilePath } from '@millseal/proof'
import type { LogFiles } from '../../../ports/ledger/log-files.ts'
import { readFrozen } from './frozen-logs.ts'
import type { TileFolder } from './tile-folder.ts'

/** Works in any process of the installation. */
export const createLogFiles = ({ files, readCheckpoint }: TileFolder): LogFiles => ({
  readCheckpoint,
  async readKey() {
    return (await files.read('vkey'))?.toString('utf8')
  },
  readFrozen: (number) => readFrozen(files, number),
  async readTile(path) {
    const tile = parseTilePath(path)
    const note = await readCheckpoint()
    if (tile === undefined || note === undefined) return undefined
    // Files that the checkpoint does not cover may still change.
    if (!isTileOf(checkpointIn(note).size, tile)) return undefined
    return await files.read(path)
  },
})
