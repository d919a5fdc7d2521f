import { type Hash, leafHash, nodeAt, nodesOf, tileHeight, tileWidth } from '@millseal/proof'
import { nodePrimitives } from '@millseal/proof/node'
import { assertTimeFollows } from '@millseal/replay'
import { type Block, streamBlocks } from './block-journal.ts'
import { LedgerDamaged } from './ledger-damaged.ts'
import { readEntry } from './entry.ts'
import type { IndexReader } from './index-reader.ts'
import { correctionRows, entryRow, outputRows, type PlacedEntry, spendings } from './index-rows.ts'
import { type EntryRange, offsetsOf, readEntriesBetween, startOfBundle } from './read-entries.ts'
import type { StoredRows } from './stored-rows.ts'
import type { TileFolder } from './tile-folder.ts'

type Sources = {
  readonly folder: TileFolder
  /** A copy of a log has no index. */
  readonly reader?: Pick<IndexReader, 'readRows'> | undefined
}

/** Throws `LedgerDamaged` unless entries, tiles, index and journal agree on this range. */
export const assertRangeIntact = async (
  { folder, reader }: Sources,
  { blocks, ...range }: EntryRange & { readonly blocks: readonly Block[] },
): Promise<void> => {
  if (range.from >= range.to) return
  const placed = await readPlaced(folder, { ...range, blocks })
  if (reader === undefined) return
  const stored = await reader.readRows(range)
  compare('entries', { stored: stored.entries, expected: placed.map(entryRow) })
  compare('outputs', { stored: stored.outputs, expected: placed.flatMap(outputRows) })
  compareSpendings(stored.spendings, placed)
  compare('corrections', { stored: stored.corrections, expected: placed.flatMap(correctionRows) })
  const own = blocks.filter(
    ({ firstIndex, entryCount }) => firstIndex < range.to && firstIndex + entryCount > range.from,
  )
  compare('blocks', { stored: stored.blocks, expected: own })
}

/** Checks all entries below `to`, one bundle at a time, so that other work is not blocked. */
export const assertLogIntact = async (
  sources: Sources,
  { to, size, signal }: { readonly to: number; readonly size: number; readonly signal?: AbortSignal },
): Promise<void> => {
  let from = 0
  let blocks: Block[] = []
  if (to === 0) return
  for await (const block of streamBlocks(sources.folder.files)) {
    blocks.push(block)
    const covered = block.firstIndex + block.entryCount
    while (from < to && covered >= Math.min(to, from + tileWidth)) {
      const next = Math.min(to, from + tileWidth)
      await assertRangeIntact(sources, { from, to: next, size, blocks })
      if (signal?.aborted === true) return
      from = next
      blocks = blocks.filter(({ firstIndex, entryCount }) => firstIndex + entryCount > next)
    }
    if (from >= to) return
  }
  throw new LedgerDamaged(`The file "blocks" ends before entry ${from}`)
}

/** The transactions of a range and their places, read from entries that are in the tree. */
export const readPlaced = async (
  folder: TileFolder,
  { blocks, from, to, size }: EntryRange & { readonly blocks: readonly Block[] },
): Promise<PlacedEntry[]> => {
  const first = startOfBundle(from)
  const entries = await readIntactEntries(folder, { from: first, to, size })
  const offsets = offsetsOf(entries, first)
  const coming = blocks.values()
  let block = coming.next().value
  let newest = ''
  return entries.slice(from - first).map((entry, at) => {
    const index = from + at
    while (block !== undefined && block.firstIndex + block.entryCount <= index) block = coming.next().value
    if (block === undefined || block.firstIndex > index)
      throw new LedgerDamaged(`The file "blocks" has no block with entry ${index}`)
    const bundleOffset = offsets[index - first] ?? 0
    const { height, committedAt } = block
    const read = readEntry(entry)
    assertTime({ index, time: read.time, newest, committedAt })
    newest = read.time ?? newest
    return { index, height, ...read, bundleOffset, bundleBytes: entry.length }
  })
}

const assertTime = ({
  index,
  time,
  newest,
  committedAt,
}: {
  readonly index: number
  readonly time: string | undefined
  readonly newest: string
  readonly committedAt: Date
}): void => {
  try {
    assertTimeFollows(time, newest)
  } catch (cause) {
    throw new LedgerDamaged(`Entry ${index} is not valid at its position`, { cause })
  }
  if (time !== undefined && committedAt.toISOString() !== time)
    throw new LedgerDamaged(`The file "blocks" has another time for entry ${index} than the entry itself`)
}

/** Compares each entry with its leaf in the tree, and each full tile with its hash in the level above. */
const readIntactEntries = async (folder: TileFolder, range: EntryRange): Promise<Uint8Array[]> => {
  const entries = await readEntriesBetween(folder, range)
  const leaves = await readLeaves(folder, range)
  for (const [at, entry] of entries.entries()) {
    const leaf = leaves[at]
    if (leaf === undefined || !isEqual(leafHash(entry, nodePrimitives), leaf)) {
      throw new LedgerDamaged(`Entry ${range.from + at} is not the one in the tree`)
    }
  }
  return entries
}

const readLeaves = async (folder: TileFolder, { from, to, size }: EntryRange): Promise<Hash[]> => {
  const leaves: Hash[] = []
  for (let index = Math.floor(from / tileWidth); index * tileWidth < to; index += 1) {
    const first = index * tileWidth
    const width = Math.min(tileWidth, size - first)
    const tile = await folder.readTile({ level: 0, index, width })
    if (width === tileWidth) await assertTileInTree(folder, { level: 0, index, size, hashes: tile })
    leaves.push(...tile.slice(Math.max(0, from - first), to - first))
  }
  return leaves
}

/** Checks the levels above up to an unfinished tile: those were compared with the checkpoint when the log was opened. */
const assertTileInTree = async (
  folder: TileFolder,
  tile: {
    readonly level: number
    readonly index: number
    readonly size: number
    readonly hashes: readonly Hash[]
  },
): Promise<void> => {
  const { level, index, size } = tile
  const nodes = nodesOf(tile.hashes, nodePrimitives)
  const halves = [0, 1].flatMap((at) => nodeAt(nodes, { height: tileHeight - 1, at }) ?? [])
  const root = nodeAt(nodesOf(halves, nodePrimitives), { height: 1, at: 0 })
  const above = Math.floor(index / tileWidth)
  const known = Math.floor(size / tileWidth ** (level + 1))
  const width = Math.min(tileWidth, known - above * tileWidth)
  const hashes = await folder.readTile({ level: level + 1, index: above, width })
  const expected = hashes[index % tileWidth]
  if (root === undefined || expected === undefined || !isEqual(root, expected)) {
    throw new LedgerDamaged(`Tile ${index} of level ${level} is not the one in the tree`)
  }
  if (width === tileWidth) await assertTileInTree(folder, { level: level + 1, index: above, size, hashes })
}

const isEqual = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0

const compareSpendings = (stored: StoredRows['spendings'], placed: readonly PlacedEntry[]): void => {
  const keyOf = ({ id, outputIndex, spentBy }: StoredRows['spendings'][number]) =>
    `${spentBy} ${id}/${outputIndex}`
  compare('outputs that entries spend', {
    stored: stored.map(keyOf).toSorted(),
    expected: placed.flatMap(spendings).map(keyOf).toSorted(),
  })
}

const compare = (
  table: string,
  { stored, expected }: { readonly stored: readonly unknown[]; readonly expected: readonly unknown[] },
): void => {
  for (let at = 0; at < Math.max(stored.length, expected.length); at += 1) {
    const [have, want] = [JSON.stringify(stored[at]), JSON.stringify(expected[at])]
    if (have === want) continue
    throw new LedgerDamaged(
      `The index of ${table} differs from the log: it has ${shown(have)} instead of ${shown(want)}`,
    )
  }
}

const shown = (json: string | undefined): string => (json === undefined ? 'nothing' : json.slice(0, 300))
