import {
  type Checkpoint,
  edgeTilesOf,
  emptyTree,
  growTree,
  leafHash,
  type NoteKey,
  type NoteSigner,
  restoreTree,
  rootOf,
  signCheckpoint,
  type Tile,
  tileWidth,
  type TreeEdge,
  type TreeHead,
  verifyCheckpoint,
} from '@millseal/proof'
import { nodePrimitives } from '@millseal/proof/node'
import { LedgerDamaged } from './ledger-damaged.ts'
import type { Bundle, TileFolder } from './tile-folder.ts'

/** Everything needed for appending. Its size does not grow with the log. */
export type LogState = {
  readonly tree: TreeEdge
  /** The entries of the last, unfinished bundle. */
  readonly edge: readonly Uint8Array[]
  /** The signed checkpoint on disk; undefined before the first one. */
  readonly note: string | undefined
  readonly checkpoint: Checkpoint | undefined
}

/**
 * Changes nothing. Throws `LedgerDamaged` if the files are not the tree of the checkpoint, or the checkpoint was not signed
 * by this log.
 */
export const readState = async (folder: TileFolder, key: NoteKey): Promise<LogState> => {
  const note = await folder.readCheckpoint()
  if (note === undefined) return { tree: emptyTree, edge: [], note, checkpoint: undefined }
  const checkpoint = readCheckpoint(note, key)
  const { size, root } = checkpoint
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
  return { tree, edge, note, checkpoint }
}

const readCheckpoint = (note: string, key: NoteKey): Checkpoint => {
  try {
    return verifyCheckpoint(note, key, nodePrimitives)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new LedgerDamaged(`The checkpoint on disk was not signed by this log: ${reason}`, { cause })
  }
}

/** What a checkpoint says beside the tree. */
export type Signing = {
  readonly signer: NoteSigner
  readonly operator: string
  readonly time: Date
  readonly status: TreeHead
}

/** The same entries with a new checkpoint. */
export const signAgain = async (state: LogState, signing: Signing): Promise<SignedState> => ({
  ...state,
  ...(await signTree(state.tree, signing)),
})

export type SignedState = LogState & { readonly note: string; readonly checkpoint: Checkpoint }

const signTree = async (
  tree: TreeEdge,
  { signer, operator, time, status }: Signing,
): Promise<Pick<SignedState, 'note' | 'checkpoint'>> => {
  const checkpoint = {
    origin: signer.key.name,
    size: tree.size,
    root: rootOf(tree, nodePrimitives),
    time: time.toISOString(),
    operator,
    status,
  }
  return { note: await signCheckpoint(checkpoint, signer), checkpoint }
}

export type Extension = {
  readonly state: SignedState
  readonly tiles: readonly Tile[]
  readonly bundles: readonly Bundle[]
}

/** Computes what must be written to append these entries. Changes nothing. */
export const extendLog = async (
  { tree, edge }: LogState,
  entries: readonly Uint8Array[],
  signing: Signing,
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
  const signed = await signTree(grown.tree, signing)
  return { state: { tree: grown.tree, edge: unfinished, ...signed }, tiles: grown.changed, bundles }
}
