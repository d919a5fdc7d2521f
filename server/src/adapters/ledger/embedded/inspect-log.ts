import type { NoteKey } from '@millseal/proof'
import { type Block, readBlocks } from './block-journal.ts'
import { assertRangeIntact, readPlaced } from './check-range.ts'
import type { IndexReader } from './index-reader.ts'
import type { IndexWriter } from './index-writer.ts'
import { LedgerDamaged } from './ledger-damaged.ts'
import { type LogState, readState } from './log-state.ts'
import { startOfBundle } from './read-entries.ts'
import type { TileFolder } from './tile-folder.ts'

export type LogParts = {
  readonly folder: TileFolder
  readonly index: IndexWriter
  readonly reader: IndexReader
  readonly key: NoteKey
}

export type InspectedLog = {
  readonly state: LogState
  /** Older entries are not compared yet. */
  readonly checkedFrom: number
  readonly last: Block | undefined
}

/** The newest entries are compared before the first append, older ones in the background. */
const checkedAtStart = 4_096

/**
 * Compares checkpoint, tiles, entries, blocks and index, whatever the previous writer left. Changes nothing, so that a
 * refused start leaves the folder as it was. Throws `LedgerDamaged`.
 */
export const inspectLog = async ({ folder, index, reader, key }: LogParts): Promise<InspectedLog> => {
  const state = await readState(folder, key)
  const { size } = state.tree
  const head = await index.readHead()
  if (head.size > size) {
    throw new LedgerDamaged(
      `The index has ${head.size} entries, but the checkpoint on disk has ${size}: the folder is older than the database, or is the folder of another log`,
    )
  }
  const checkedFrom = startOfBundle(Math.max(0, size - checkedAtStart))
  const blocks = await readBlocks(folder.files, { from: Math.min(checkedFrom, head.size), size })
  await assertRangeIntact({ folder, reader }, { from: checkedFrom, to: head.size, size, blocks })
  await assertMissingIntact(folder, { blocks, head, size })
  return { state, checkedFrom, last: blocks.at(-1) }
}

/** The entries that the index does not have yet. */
const assertMissingIntact = async (
  folder: TileFolder,
  {
    blocks,
    head,
    size,
  }: { readonly blocks: readonly Block[] } & {
    readonly head: Awaited<ReturnType<IndexWriter['readHead']>>
    readonly size: number
  },
): Promise<void> => {
  if (head.size === size) return
  const missing = blocks.filter(({ firstIndex, entryCount }) => firstIndex + entryCount > head.size)
  const [first] = missing
  if (first?.firstIndex !== head.size || first.height !== head.height + 1) {
    throw new LedgerDamaged(`The file "blocks" has no block after entry ${head.size}`)
  }
  let to = head.size
  for (const block of missing) {
    to = block.firstIndex + block.entryCount
    await readPlaced(folder, { from: block.firstIndex, to, size, blocks: [block] })
  }
  if (to < size) throw new LedgerDamaged(`The file "blocks" ends before entry ${to}`)
}
