import {
  type Checkpoint,
  type Hash,
  leafHash,
  nodesOf,
  type NoteKey,
  proveInclusion,
  readNodesFromTiles,
  type SignedTransaction,
  tilePath,
  type TileNodes,
  type TileSource,
  tileWidth,
  verifyCheckpoint,
  verifyInclusion,
  writeTlogProof,
} from '@millseal/proof'
import { nodePrimitives } from '@millseal/proof/node'
import { remember } from '../../../lib/remember.ts'
import type { InclusionEvidence, LedgerEntry } from '../../../ports/ledger/ledger.ts'
import { LedgerDamaged } from './ledger-damaged.ts'
import { readVerifiedEntry } from './entry.ts'
import type { Place } from './index-reader.ts'
import { startOfBundle } from './read-entries.ts'
import type { TileFolder } from './tile-folder.ts'

/** Reads entries by their place. Trusts neither the index nor the files: every entry returned was verified. */
export type EntryReader = {
  read(place: Place, expected?: (transaction: SignedTransaction) => boolean): Promise<LedgerEntry>
  prove(place: Place): Promise<InclusionEvidence>
}

export const createEntryReader = ({
  folder,
  readKey,
}: {
  readonly folder: TileFolder
  /** The key of the log, whichever process created it. */
  readonly readKey: () => Promise<NoteKey>
}): EntryReader => {
  const readTile = cacheTiles(folder)
  const recent = new Map<number, Recent>()
  let latest: { readonly note: string; readonly checkpoint: Checkpoint } | undefined
  const readNewest = async () => {
    const note = folder.readCheckpoint()
    if (note === undefined) throw new LedgerDamaged('The checkpoint is missing')
    if (latest?.note !== note) {
      latest = { note, checkpoint: verifyCheckpoint(note, await readKey(), nodePrimitives) }
    }
    return latest
  }
  // Once for all calls of one tick.
  let newest: ReturnType<typeof readNewest> | undefined
  const readCheckpoint = (): ReturnType<typeof readNewest> => {
    if (newest === undefined) setImmediate(() => (newest = undefined))
    newest ??= readNewest()
    return newest
  }
  const readBytes = ({ index, size, bundleOffset, bundleBytes }: Place): Promise<Uint8Array> => {
    const first = startOfBundle(index)
    const place = { index: first / tileWidth, width: Math.min(tileWidth, size - first) }
    return folder.readEntry(place, { offset: bundleOffset, length: bundleBytes })
  }
  return {
    async read(place, expected = () => true) {
      const { height, index, committedAt } = place
      const entry = recent.get(index) ?? verified(await readBytes(place), index)
      remember(recent, { key: index, value: entry, atMost: maxRecent })
      const { transaction } = entry
      if (!expected(transaction))
        throw new LedgerDamaged(`The index names entry ${index}, which is a different one`)
      return { transaction, height, index, timestamp: committedAt }
    },
    async prove(place) {
      const { index } = place
      const { note, checkpoint } = await readCheckpoint()
      const { size, root } = checkpoint
      const read = readNodesFromTiles({ size, readTile })
      const path = await proveInclusion({ index, size }, { read, hashing: nodePrimitives })
      const leaf = recent.get(index)?.leaf ?? leafHash(await readBytes(place), nodePrimitives)
      // A wrong proof would be rejected by its receiver.
      if (!verifyInclusion({ index, size, leaf, path, root }, nodePrimitives)) {
        throw new LedgerDamaged(`The tiles do not prove entry ${index}`)
      }
      return { index, tlogProof: writeTlogProof({ index, path, checkpoint: note }), checkpoint: note }
    },
  }
}

type Recent = { readonly transaction: SignedTransaction; readonly leaf: Hash }

const verified = (entry: Uint8Array, index: number): Recent => {
  try {
    return { transaction: readVerifiedEntry(entry), leaf: leafHash(entry, nodePrimitives) }
  } catch (cause) {
    throw new LedgerDamaged(`Entry ${index} is not a valid transaction`, { cause })
  }
}

/** Each takes 16 KiB with its inner hashes. Enough for proofs of a million entries. */
const maxCachedTiles = 4_096
/** An entry is often requested again soon, for its PDF or proof. Entries never change, and these were verified. */
const maxRecent = 1_000

/** Nearly every proof contains tiles above the lowest level. */
const cacheTiles = (folder: TileFolder): TileSource => {
  const cached = new Map<string, TileNodes>()
  return async (place) => {
    const path = tilePath(place)
    const nodes = cached.get(path) ?? nodesOf(await folder.readTile(place), nodePrimitives)
    remember(cached, { key: path, value: nodes, atMost: maxCachedTiles })
    return nodes
  }
}
