import { join } from 'node:path'
import { isTileOf, parseCheckpoint, parseTilePath } from '@millseal/proof'
import type { LogFiles } from '../../../ports/ledger/log-files.ts'
import { readIfThere } from './durable-files.ts'
import type { TileFolder } from './tile-folder.ts'

/** Of any process that has the folder. */
export const createLogFiles = (folder: TileFolder): LogFiles => ({
  readCheckpoint: async () => folder.readCheckpoint(),
  async readKey() {
    return (await readIfThere(join(folder.path, 'vkey')))?.toString('utf8')
  },
  async readTile(path) {
    const tile = parseTilePath(path)
    const note = folder.readCheckpoint()
    if (tile === undefined || note === undefined) return undefined
    // What lies beyond the checkpoint may still change.
    if (!isTileOf(parseCheckpoint(note.slice(0, note.indexOf('\n\n') + 1)).size, tile)) return undefined
    return await readIfThere(join(folder.path, path))
  },
})
