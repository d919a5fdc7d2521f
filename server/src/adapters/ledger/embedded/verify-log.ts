import {
  type Checkpoint,
  edgeTilesOf,
  emptyTree,
  growTree,
  leafHash,
  type NoteKey,
  parseKeyFile,
  rootOf,
  type Tile,
  tilePath,
  tileWidth,
  type TreeEdge,
  verifyCheckpoint,
} from '@millseal/proof'
import { nodePrimitives } from '@millseal/proof/node'
import type { Files } from '../../../ports/files/files.ts'
import { assertLogIntact } from './check-range.ts'
import { listFrozen, readFrozen } from './frozen-logs.ts'
import type { IndexReader } from './index-reader.ts'
import { LedgerDamaged } from './ledger-damaged.ts'
import { readPlacedKey } from './log-key.ts'
import { createHistory, type History } from './log-history.ts'
import { openTileFolder, type TileFolder } from './tile-folder.ts'

export type LogReport = {
  /** Undefined if the checkpoint could not be read. */
  readonly checkpoint: Checkpoint | undefined
  /** One sentence for each difference. */
  readonly problems: readonly string[]
}

export type LogToVerify = {
  /** Of one log, with `checkpoint` among them. */
  readonly files: Files
  /** The key to trust. Default: the key beside the checkpoint. */
  readonly key?: string
  /** If given, it is compared as well. */
  readonly index?: Pick<IndexReader, 'readRows' | 'readSize'>
}

/**
 * Trusts only the key: rebuilds the tree from the entries, compares every tile, the checkpoint and the index with it, and
 * validates all transactions in their order.
 */
export const verifyLog = async ({ files, key, index }: LogToVerify): Promise<LogReport> => {
  const folder = openTileFolder(files)
  const problems: string[] = []
  const attempt = async <T>(work: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await work()
    } catch (error) {
      problems.push(sentenceOf(error))
      return undefined
    }
  }
  const checkpoint = await attempt(async () => readSigned(folder, await readKey(files, key)))
  if (checkpoint === undefined) return { checkpoint, problems }
  const { size } = checkpoint
  await attempt(async () => assertSays(checkpoint, await rebuild(folder, checkpoint)))
  await attempt(() => assertSameOperator(files, checkpoint))
  await attempt(async () => {
    if (index === undefined) return
    const indexed = await index.readSize()
    // A running log keeps growing, and its checkpoint is always ahead of its index.
    const now = parseSize((await folder.readCheckpoint()) ?? '')
    if (indexed < size || indexed > now) {
      throw new LedgerDamaged(`The index has ${indexed} entries, and the log ${now}`)
    }
    await assertLogIntact({ folder, reader: index }, { to: size, size })
  })
  return { checkpoint, problems: [...new Set(problems)] }
}

const sentenceOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message
}

const parseSize = (note: string): number => Number(note.split('\n')[1] ?? 0)

const readKey = async (files: Files, given: string | undefined): Promise<NoteKey> => {
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
const assertSameOperator = async (files: Files, { operator }: Checkpoint): Promise<void> => {
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

type Rebuilt = { readonly tree: TreeEdge; readonly history: History }

const rebuild = async (folder: TileFolder, { size, operator }: Checkpoint): Promise<Rebuilt> => {
  const history = createHistory(folder, { size, operator })
  let tree = emptyTree
  for (let first = 0; first < size; first += tileWidth) {
    const width = Math.min(tileWidth, size - first)
    const entries = await folder.readBundle({ index: first / tileWidth, width })
    for (const [at, entry] of entries.entries()) await history.add(entry, first + at)
    const grown = growTree(
      tree,
      entries.map((entry) => leafHash(entry, nodePrimitives)),
      nodePrimitives,
    )
    ;({ tree } = grown)
    for (const tile of grown.changed.filter(isFull)) await compareTile(folder, tile)
  }
  for (const place of edgeTilesOf(size)) {
    await compareTile(folder, { ...place, hashes: tree.tiles[place.level] ?? [] })
  }
  return { tree, history }
}

/** Compares what the checkpoint says with what the entries say. */
const assertSays = (checkpoint: Checkpoint, { tree, history }: Rebuilt): void => {
  const { size, root, time, status } = checkpoint
  if (Buffer.compare(rootOf(tree, nodePrimitives), root) !== 0)
    throw new LedgerDamaged(`The entries are not the ${size} that the checkpoint was signed over`)
  if (history.newest !== '' && (time === undefined || time < history.newest))
    throw new LedgerDamaged('The checkpoint has an earlier time than its newest entry')
  const { head } = history
  if (
    status === undefined
      ? head.size > 1
      : head.size !== status.size || Buffer.compare(head.root, status.root) !== 0
  )
    throw new LedgerDamaged(
      'The status tree of the checkpoint is not that of the corrections among the entries',
    )
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
