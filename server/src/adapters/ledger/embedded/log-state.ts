import {
  type Checkpoint,
  edgeTilesOf,
  emptyTree,
  growTree,
  leafHash,
  type NoteSigner,
  restoreTree,
  rootOf,
  signCheckpoint,
  type Tile,
  tileWidth,
  type TreeEdge,
  verifyCheckpoint,
} from '@millseal/proof'
import { nodePrimitives } from '@millseal/proof/node'
import { LedgerDamaged } from './ledger-damaged.ts'
import type { Bundle } from './tile-folder.ts'
import type { TileWriter } from './tile-writer.ts'

/** Everything needed for appending. Its size does not grow with the log. */
export type LogState = {
  readonly tree: TreeEdge
  /** The entries of the last, unfinished bundle. */
  readonly edge: readonly Uint8Array[]
  /** The signed checkpoint on disk. */
  readonly note: string
}

/** Throws `LedgerDamaged` if the files are not the tree of the checkpoint, or the checkpoint was not signed by this log. */
export const restoreLog = async (folder: TileWriter, signer: NoteSigner): Promise<LogState> => {
  const note = folder.readCheckpoint()
  if (note === undefined) return await beginLog(folder, signer)
  const { size, root } = readCheckpoint(note, signer)
  const tiles = await Promise.all(
    edgeTilesOf(size).map(
      async (place): Promise<Tile> => ({ ...place, hashes: await folder.readTile(place) }),
    ),
  )
  const tree = restoreTree(size, tiles, nodePrimitives)
  if (!Buffer.from(rootOf(tree, nodePrimitives)).equals(root)) {
    throw new LedgerDamaged(`The tiles are not the tree of the checkpoint over ${size} entries`)
  }
  const width = size % tileWidth
  const index = (size - width) / tileWidth
  const edge = width === 0 ? [] : await folder.readBundle({ index, width })
  for (const [at, entry] of edge.entries()) {
    if (!Buffer.from(leafHash(entry, nodePrimitives)).equals(tree.tiles[0]?.[at] ?? new Uint8Array())) {
      throw new LedgerDamaged(`Entry ${index * tileWidth + at} is not the one in the tree`)
    }
  }
  return { tree, edge, note }
}

const readCheckpoint = (note: string, signer: NoteSigner): Checkpoint => {
  try {
    return verifyCheckpoint(note, signer.key, nodePrimitives)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new LedgerDamaged(`The checkpoint on disk was not signed by this log: ${reason}`, { cause })
  }
}

const beginLog = async (folder: TileWriter, signer: NoteSigner): Promise<LogState> => {
  const note = await signTree(emptyTree, signer)
  await (await folder.prepare(note)).publish(undefined)
  return { tree: emptyTree, edge: [], note }
}

const signTree = (tree: TreeEdge, signer: NoteSigner): Promise<string> =>
  signCheckpoint({ origin: signer.key.name, size: tree.size, root: rootOf(tree, nodePrimitives) }, signer)

export type Extension = {
  readonly state: LogState
  readonly tiles: readonly Tile[]
  readonly bundles: readonly Bundle[]
}

/** Computes what must be written to append these entries. Changes nothing. */
export const extendLog = async (
  { tree, edge }: LogState,
  entries: readonly Uint8Array[],
  signer: NoteSigner,
): Promise<Extension> => {
  const leaves = entries.map((entry) => leafHash(entry, nodePrimitives))
  const grown = growTree(tree, leaves, nodePrimitives)
  const pending = [...edge, ...entries]
  const first = (tree.size - edge.length) / tileWidth
  const bundles: Bundle[] = []
  for (let at = 0; at < pending.length; at += tileWidth) {
    const part = pending.slice(at, at + tileWidth)
    bundles.push({ index: first + at / tileWidth, width: part.length, entries: part })
  }
  const last = bundles.at(-1)
  const unfinished = last === undefined || last.width === tileWidth ? [] : last.entries
  const note = await signTree(grown.tree, signer)
  return { state: { tree: grown.tree, edge: unfinished, note }, tiles: grown.changed, bundles }
}
