import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type Checkpoint,
  checkAgainst,
  edgeTilesOf,
  emptyTree,
  growTree,
  leafHash,
  type NoteKey,
  parseNoteKey,
  rootOf,
  type SignedTransaction,
  type Tile,
  tilePath,
  tileWidth,
  type TreeEdge,
  verifyCheckpoint,
} from '@millseal/proof'
import { nodePrimitives } from '@millseal/proof/node'
import { streamBlocks } from './block-journal.ts'
import { assertLogIntact } from './check-range.ts'
import { LedgerDamaged } from './ledger-damaged.ts'
import { readVerifiedEntry } from './entry.ts'
import type { IndexReader } from './index-reader.ts'
import { certificateHash, spendings } from './index-rows.ts'
import { openTileFolder, type TileFolder } from './tile-folder.ts'

export type LogReport = {
  /** Undefined if the checkpoint could not be read. */
  readonly checkpoint: Checkpoint | undefined
  /** One sentence for each difference. */
  readonly problems: readonly string[]
}

export type LogToVerify = {
  /** The folder of one log, which contains `checkpoint`. */
  readonly folder: string
  /** The key to trust. Default: the key beside the checkpoint. */
  readonly key?: string
  /** If given, it is compared as well. */
  readonly index?: Pick<IndexReader, 'readRows' | 'readSize'>
}

/**
 * Trusts only the key: rebuilds the tree from the entries, compares every tile, the checkpoint and the index with it, and
 * validates all transactions in their order.
 */
export const verifyLog = async ({ folder: path, key, index }: LogToVerify): Promise<LogReport> => {
  const folder = openTileFolder(path)
  const problems: string[] = []
  const attempt = async <T>(work: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await work()
    } catch (error) {
      problems.push(sentenceOf(error))
      return undefined
    }
  }
  const checkpoint = await attempt(async () => readSigned(folder, await readKey(path, key)))
  if (checkpoint === undefined) return { checkpoint, problems }
  const { size } = checkpoint
  const tree = await attempt(() => rebuild(folder, size))
  if (tree !== undefined && Buffer.compare(rootOf(tree, nodePrimitives), checkpoint.root) !== 0) {
    problems.push(`The entries are not the ${size} that the checkpoint was signed over`)
  }
  await attempt(() => assertBlocksCover(path, size))
  await attempt(async () => {
    if (index === undefined) return
    const indexed = await index.readSize()
    // A running log keeps growing, and its checkpoint is always ahead of its index.
    const now = parseSize(folder.readCheckpoint() ?? '')
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

const readKey = async (path: string, given: string | undefined): Promise<NoteKey> =>
  parseNoteKey(given ?? (await readFile(join(path, 'vkey'), 'utf8')), nodePrimitives)

const readSigned = (folder: TileFolder, key: NoteKey): Checkpoint => {
  const note = folder.readCheckpoint()
  if (note === undefined) throw new LedgerDamaged('There is no checkpoint')
  try {
    return verifyCheckpoint(note, key, nodePrimitives)
  } catch (cause) {
    throw new LedgerDamaged('The checkpoint is not signed by the key of this log', { cause })
  }
}

const assertBlocksCover = async (path: string, size: number): Promise<void> => {
  let covered = 0
  for await (const { firstIndex, entryCount } of streamBlocks(path)) covered = firstIndex + entryCount
  if (covered < size) throw new LedgerDamaged(`The file "blocks" ends before entry ${covered}`)
}

const rebuild = async (folder: TileFolder, size: number): Promise<TreeEdge> => {
  const history = createHistory(folder, size)
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
  return tree
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

/** What earlier entries decide about later ones. */
const createHistory = (folder: TileFolder, size: number) => {
  const indexOf = new Map<string, number>()
  const certificates = new Set<string>()
  const spent = new Set<string>()
  const readAt = async (index: number | undefined): Promise<SignedTransaction | undefined> => {
    if (index === undefined) return undefined
    const first = index - (index % tileWidth)
    const bundle = await folder.readBundle({
      index: first / tileWidth,
      width: Math.min(tileWidth, size - first),
    })
    const entry = bundle[index - first]
    return entry === undefined ? undefined : readVerifiedEntry(entry)
  }
  return {
    async add(entry: Uint8Array, index: number): Promise<void> {
      try {
        const transaction = readVerifiedEntry(entry)
        if (indexOf.has(transaction.id)) throw new LedgerDamaged('its transaction is already in the log')
        const hash = certificateHash(transaction, 'jsonHash')
        if (hash !== null && certificates.has(hash))
          throw new LedgerDamaged('its certificate is already in the log')
        const spends = spendings({ index, transaction })
        const origins = new Map<string, SignedTransaction>()
        for (const { id } of spends) {
          const origin = await readAt(indexOf.get(id))
          if (origin !== undefined) origins.set(id, origin)
        }
        checkAgainst(
          transaction,
          {
            findTransaction: (id) => origins.get(id),
            isSpent: ({ transaction_id, output_index }) => spent.has(`${transaction_id}/${output_index}`),
          },
          nodePrimitives,
        )
        indexOf.set(transaction.id, index)
        if (hash !== null) certificates.add(hash)
        for (const { id, outputIndex } of spends) spent.add(`${id}/${outputIndex}`)
      } catch (cause) {
        throw new LedgerDamaged(`Entry ${index} is not valid at its position`, { cause })
      }
    },
  }
}
