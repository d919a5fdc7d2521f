import {
  type NoteSigner,
  rootOf,
  signCheckpoint,
  type StatusTree,
  type Tile,
  tileWidth,
} from '@millseal/proof'
import { nodePrimitives } from '@millseal/proof/node'
import { finishedBytes, readBlocks } from './block-journal.ts'
import type { Query } from '../../../ports/database/database.ts'
import { readPlaced } from './check-range.ts'
import type { StatusOfLog } from './corrections.ts'
import type { Cosigning } from './cosigning.ts'
import { type InspectedLog, inspectLog, type LogParts } from './inspect-log.ts'
import { LedgerDamaged } from './ledger-damaged.ts'
import { assertFolderOf, placeKey } from './log-key.ts'
import type { KnownCheckpoints } from './known-checkpoints.ts'
import type { LogClock } from './log-clock.ts'
import type { LogState } from './log-state.ts'
import type { Bundle, OwnTileFolder } from './tile-folder.ts'
import { openTileWriter, type TileWriter } from './tile-writer.ts'

export type RecoveredLog = {
  readonly folder: TileWriter
  readonly state: LogState
  /** Of all entries. */
  readonly status: StatusTree
  /** The newest time of the log; undefined if it has no entries. */
  readonly newest: Date | undefined
  readonly height: number
  /** Older entries are not compared yet. */
  readonly checkedFrom: number
}

type Recovering = Omit<LogParts, 'key'> & {
  readonly folder: OwnTileFolder
  /** On the connection that holds the lock. */
  readonly query: Query
  readonly signer: NoteSigner
  /** The DID of the operator. */
  readonly operator: string
  readonly status: StatusOfLog
  readonly clock: LogClock
  readonly known: KnownCheckpoints
  readonly cosigning: Cosigning | undefined
}

/**
 * Opens the log for writing, however the previous writer ended. Compares everything before it changes a file. Throws
 * `LedgerDamaged`, or `ClockRefused`.
 */
export const recoverLog = async (parts: Recovering, opening: AsyncDisposableStack): Promise<RecoveredLog> => {
  const { index, signer } = parts
  const { key } = signer
  const inspect = async () => {
    await assertFolderOf(parts.folder.files, key)
    const inspected = await inspectLog({ ...parts, key })
    const { tree, checkpoint } = inspected.state
    await parts.known.assertExtendedBy(parts.folder, { key, checkpoint })
    if (checkpoint?.operator !== undefined && checkpoint.operator !== parts.operator)
      throw new LedgerDamaged(
        `The checkpoint names the operator ${checkpoint.operator}, but the database has the key of ${parts.operator}`,
      )
    const newest = newestTime(inspected)
    const refused = parts.clock.obstacle(newest)
    if (refused !== undefined) throw refused
    await assertNotForked(parts, inspected.state)
    await catchUp(parts, tree.size)
    const status = await parts.status.advance(tree.size, checkpoint?.status)
    return { ...inspected, newest, status }
  }
  let found = await inspect()
  await placeKey(parts.folder.files, key)
  const folder = opening.use(await openTileWriter(parts.folder, parts.query))
  // Until this writer was open, a suspended one could continue and publish.
  if ((await folder.readCheckpoint()) !== found.state.note) found = await inspect()
  const { size } = found.state.tree
  await folder.openJournal(await finishedBytes(folder.files, size))
  await folder.clean(...finishedBefore(size))
  const { height } = await index.readHead()
  return { ...found, folder, height }
}

/** Last, because it asks others: nothing that only this machine knows may be wrong then. */
const assertNotForked = async (
  { cosigning, folder, signer }: Recovering,
  { note, tree }: LogState,
): Promise<void> => {
  if (cosigning === undefined) return
  // A log that was never started has nothing to show but its key; a cosigner may have seen entries of that key.
  const { size } = tree
  const empty = { origin: signer.key.name, size, root: rootOf(tree, nodePrimitives) }
  await cosigning.assertExtended(folder, {
    key: signer.key,
    note: note ?? (await signCheckpoint(empty, signer)),
  })
}

/** Logs that are older than times in checkpoints have that of their last block. */
export const newestTime = ({ state: { checkpoint }, last }: InspectedLog): Date | undefined =>
  checkpoint?.time === undefined ? last?.committedAt : new Date(checkpoint.time)

/** After a crash the index may be behind the tiles, and is completed from them. */
export const catchUp = async (
  { folder, index }: Pick<LogParts, 'folder' | 'index'>,
  size: number,
): Promise<void> => {
  const head = await index.readHead()
  if (head.size === size) return
  for (const block of await readBlocks(folder.files, { from: head.size, size })) {
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
