import { type NoteSigner, type Tile, tileWidth } from '@millseal/proof'
import { type BlockJournal, openBlockJournal, readBlocks } from './block-journal.ts'
import { readPlaced } from './check-range.ts'
import { type InspectedLog, inspectLog, type LogParts } from './inspect-log.ts'
import { placeKey } from './log-key.ts'
import { beginLog, type LogState } from './log-state.ts'
import type { Bundle } from './tile-folder.ts'
import { openTileWriter, type TileWriter } from './tile-writer.ts'

export type RecoveredLog = {
  readonly folder: TileWriter
  readonly journal: BlockJournal
  readonly state: LogState
  readonly height: number
  /** Older entries are not compared yet. */
  readonly checkedFrom: number
}

/**
 * Opens the log for writing, however the previous writer ended. Compares everything before it changes a file. Throws
 * `LedgerDamaged`.
 */
export const recoverLog = async (
  parts: Omit<LogParts, 'key'> & { readonly signer: NoteSigner },
  opening: AsyncDisposableStack,
): Promise<RecoveredLog> => {
  const { index, signer } = parts
  const { key } = signer
  const inspect = async (): Promise<InspectedLog> => {
    const inspected = await inspectLog({ ...parts, key })
    await catchUp(parts, inspected.state.tree.size)
    return inspected
  }
  let found = await inspect()
  await placeKey(parts.folder.path, key)
  const folder = opening.use(await openTileWriter(parts.folder))
  // Until its staging folder was removed, a suspended writer could continue and publish.
  if (folder.readCheckpoint() !== found.state.note) found = await inspect()
  const { state, checkedFrom } = found
  const { size } = state.tree
  const journal = opening.use(await openBlockJournal(folder, size))
  await folder.clean(...finishedBefore(size))
  const { height } = await index.readHead()
  return {
    folder,
    journal,
    state: state.note === undefined ? await beginLog(folder, signer) : state,
    height,
    checkedFrom,
  }
}

/** After a crash the index may be behind the tiles, and is completed from them. */
const catchUp = async (
  { folder, index }: Pick<LogParts, 'folder' | 'index'>,
  size: number,
): Promise<void> => {
  const head = await index.readHead()
  if (head.size === size) return
  for (const block of await readBlocks(folder.path, { from: head.size, size })) {
    const to = block.firstIndex + block.entryCount
    const placed = await readPlaced(folder, { from: block.firstIndex, to, size, blocks: [block] })
    await index.begin()
    await index.insert(block, placed)
    await index.commit()
  }
}

/** The last full tile of each level and the last full bundle: after a crash their unfinished predecessors may still exist. */
const finishedBefore = (size: number): [tiles: Tile[], bundles: Bundle[]] => {
  const tiles: Tile[] = []
  for (let level = 0, full = Math.floor(size / tileWidth); full > 0; full = Math.floor(full / tileWidth)) {
    tiles.push({ level, index: full - 1, width: tileWidth, hashes: [] })
    level += 1
  }
  const [lowest] = tiles
  return [tiles, lowest === undefined ? [] : [{ index: lowest.index, width: tileWidth, entries: [] }]]
}
