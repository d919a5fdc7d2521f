import {
  type Checkpoint,
  edgeTilesOf,
  type NoteKey,
  parseKeyFile,
  type Tile,
  tilePath,
  tileWidth,
  verifyCheckpoint,
} from '@millseal/proof'
import { nodePrimitives } from '@millseal/proof/node'
import { createReplay, emptyReplay } from '@millseal/replay'
import { remember } from '../../../lib/remember.ts'
import { FilesUnavailable, type ReadableFiles } from '../../../ports/files/files.ts'
import { journalName } from './block-journal.ts'
import { assertLogIntact } from './check-range.ts'
import { listFrozen, readFrozen } from './frozen-logs.ts'
import type { IndexReader } from './index-reader.ts'
import { LedgerDamaged } from './ledger-damaged.ts'
import { readPlacedKey } from './log-key.ts'
import { openTileFolder, type TileFolder } from './tile-folder.ts'

export type LogReport = {
  /** Undefined if the checkpoint could not be read. */
  readonly checkpoint: Checkpoint | undefined
  /** One sentence for each difference. */
  readonly problems: readonly string[]
}

export type LogToVerify = {
  /** Of one log, with `checkpoint` among them. */
  readonly files: ReadableFiles
  /** The key to trust. Default: the key beside the checkpoint. */
  readonly key?: string
  /** If given, it is compared as well. */
  readonly index?: Pick<IndexReader, 'readRows' | 'readSize'>
}

/**
 * Rejects with `FilesUnavailable` if the place of the files does not answer. Trusts only the key: rebuilds the tree from the entries, compares every tile, the checkpoint and the index with it, and
 * validates all transactions in their order.
 */
export const verifyLog = async ({ files, key, index }: LogToVerify): Promise<LogReport> => {
  const folder = openTileFolder(files)
  const problems: string[] = []
  const attempt = async <T>(work: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await work()
    } catch (error) {
      if (error instanceof FilesUnavailable) throw error
      problems.push(sentenceOf(error))
      return undefined
    }
  }
  const checkpoint = await attempt(async () => readSigned(folder, await readKey(files, key)))
  if (checkpoint === undefined) return { checkpoint, problems }
  const { size } = checkpoint
  await attempt(() => replay(folder, checkpoint))
  await attempt(() => assertSameOperator(files, checkpoint))
  await attempt(async () => {
    // Nobody needs the blocks to read a log: a copy of what the server publishes has none.
    if (index === undefined && (await files.size(journalName)) === undefined) return
    await assertSizeOf(index, { folder, size })
    await assertLogIntact({ folder, reader: index }, { to: size, size })
  })
  return { checkpoint, problems: [...new Set(problems)] }
}

/** A running log keeps growing, and its checkpoint is always ahead of its index. */
const assertSizeOf = async (
  index: LogToVerify['index'],
  { folder, size }: { readonly folder: TileFolder; readonly size: number },
): Promise<void> => {
  if (index === undefined) return
  const indexed = await index.readSize()
  const now = parseSize((await folder.readCheckpoint()) ?? '')
  if (indexed < size || indexed > now)
    throw new LedgerDamaged(`The index has ${indexed} entries, and the log ${now}`)
}

const sentenceOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message
}

const parseSize = (note: string): number => Number(note.split('\n')[1] ?? 0)

const readKey = async (files: ReadableFiles, given: string | undefined): Promise<NoteKey> => {
  const key = given ?? (await readPlacedKey(files))
  if (key === undefined) throw new LedgerDamaged('There is no file "vkey" with the key of the log')
  return parseKeyFile(key, nodePrimitives)
}

const readSigned = async (folder: TileFolder, key: NoteKey): Promise<Checkpoint> => {
  const note = await folder.readCheckpoint()
  if (note === undefined) throw new LedgerDamaged('There is no checkpoint')
  try {
    return verifyCheckpoint(note, key, nodePrimitives)
  } catch (cause) {
    throw new LedgerDamaged('The checkpoint is not signed by the key of this log', { cause })
  }
}

/** A log that continues under a new name keeps its operator. */
const assertSameOperator = async (files: ReadableFiles, { operator }: Checkpoint): Promise<void> => {
  for (const number of await listFrozen(files)) {
    const frozen = await readFrozen(files, number)
    if (frozen === undefined) throw new LedgerDamaged(`frozen/${number} is incomplete`)
    const signed = verifyCheckpoint(
      frozen.checkpoint,
      parseKeyFile(frozen.vkey, nodePrimitives),
      nodePrimitives,
    )
    if (signed.operator !== undefined && signed.operator !== operator)
      throw new LedgerDamaged(`The operator of frozen/${number} is not the operator of this checkpoint`)
  }
}

/** Throws unless entries, tiles and checkpoint agree, and the log may contain the entries in their order. */
const replay = async (folder: TileFolder, checkpoint: Checkpoint): Promise<void> => {
  const { size, operator } = checkpoint
  const recent = new Map<number, readonly Uint8Array[]>()
  /** Corrections are often near what they correct, and a copy elsewhere takes a while to answer. */
  const readBundle = async (index: number): Promise<readonly Uint8Array[]> => {
    const known = recent.get(index)
    if (known !== undefined) return known
    const value = await folder.readBundle({ index, width: Math.min(tileWidth, size - index * tileWidth) })
    remember(recent, { key: index, value, atMost: 4 })
    return value
  }
  const log = createReplay(emptyReplay(operator), {
    primitives: nodePrimitives,
    async readEntry(index) {
      const entry = (await readBundle(Math.floor(index / tileWidth)))[index % tileWidth]
      if (entry === undefined) throw new LedgerDamaged(`Entry ${index} is missing`)
      return entry
    },
  })
  for (let index = 0; index * tileWidth < size; index += 1) {
    const changed = await log.add(await readBundle(index))
    for (const tile of changed.filter(isFull)) await compareTile(folder, tile)
  }
  for (const place of edgeTilesOf(size))
    await compareTile(folder, { ...place, hashes: log.tree.tiles[place.level] ?? [] })
  log.assertSays(checkpoint)
}

const isFull = ({ width }: Tile): boolean => width === tileWidth

const compareTile = async (folder: TileFolder, tile: Tile): Promise<void> => {
  const stored = await folder.readTile(tile)
  const differs = tile.hashes.findIndex(
    (hash, at) => Buffer.compare(hash, stored[at] ?? Buffer.alloc(0)) !== 0,
  )
  if (differs < 0) return
  throw new LedgerDamaged(
    tile.level === 0
      ? `Entry ${tile.index * tileWidth + differs} is not the one in ${tilePath(tile)}`
      : `${tilePath(tile)} is not the tree of the tiles below it`,
  )
}
