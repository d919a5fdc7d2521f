import { type NoteSigner, type Tile, tileWidth } from '@millseal/proof'
import type { BlockJournal } from './block-journal.ts'
import { assertRangeIntact, readPlaced } from './check-range.ts'
import { LedgerDamaged } from './ledger-damaged.ts'
import type { IndexReader } from './index-reader.ts'
import type { IndexWriter } from './index-writer.ts'
import { type LogState, restoreLog } from './log-state.ts'
import { startOfBundle } from './read-entries.ts'
import type { Bundle } from './tile-folder.ts'
import type { TileWriter } from './tile-writer.ts'

type LogParts = {
  readonly folder: TileWriter
  readonly index: IndexWriter
  readonly reader: IndexReader
  readonly signer: NoteSigner
}

export type RecoveredLog = {
  readonly state: LogState
  readonly height: number
  /** Older entries are not compared yet. */
  readonly checkedFrom: number
}

/** The newest entries are compared before the first append, older ones in the background. */
const checkedAtStart = 4_096

/** Restores the state of the log, however the previous writer ended. Throws `LedgerDamaged`. */
export const recoverLog = async (parts: LogParts, journal: BlockJournal): Promise<RecoveredLog> => {
  const { folder, index, signer } = parts
  const state = await restoreLog(folder, signer)
  const { size } = state.tree
  await journal.cutTo(size)
  await catchUp(parts, { journal, size })
  const checkedFrom = startOfBundle(Math.max(0, size - checkedAtStart))
  const blocks = await journal.readFrom(checkedFrom)
  await assertRangeIntact(parts, { from: checkedFrom, to: size, size, blocks })
  await folder.clean(...finishedBefore(size))
  const { height } = await index.readHead()
  return { state, height, checkedFrom }
}

/** After a crash the index may be behind the tiles, and is completed from them. If it is ahead, it belongs to another log. */
const catchUp = async (
  { folder, index }: LogParts,
  { journal, size }: { readonly journal: BlockJournal; readonly size: number },
): Promise<void> => {
  const head = await index.readHead()
  if (head.size > size) {
    throw new LedgerDamaged(
      `The index has ${head.size} entries, but the checkpoint on disk has ${size}: the folder is older than the database, or is the folder of another log`,
    )
  }
  if (head.size === size) return
  const blocks = await journal.readFrom(head.size)
  const [first] = blocks
  if (first?.firstIndex !== head.size || first.height !== head.height + 1) {
    throw new LedgerDamaged(`The file "blocks" has no block after entry ${head.size}`)
  }
  for (const block of blocks) {
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
