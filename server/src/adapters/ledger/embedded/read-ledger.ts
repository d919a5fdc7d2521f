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
import { nodePrimitives } from '../../../lib/primitives.ts'
import { remember } from '../../../lib/remember.ts'
import type { InclusionEvidence, LedgerEntry } from '../../../ports/ledger/ledger.ts'
import { LedgerDamaged } from './ledger-damaged.ts'
import { readVerifiedEntry } from './entry.ts'
import { findDamageOfEntry, findDamageOfProof } from './find-damage.ts'
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
  const tiles = new Map<string, TileNodes>()
  const readTile = cacheTiles(folder, tiles)
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
      const entry = recent.get(index) ?? verified(await readBytes(place))
      if (entry === undefined) throw await findDamageOfEntry(folder, place)
      remember(recent, { key: index, value: entry, atMost: maxRecent })
      const { transaction } = entry
      if (!expected(transaction))
        throw new LedgerDamaged(`the index in the database names entry ${index}, which is a different one`)
      return { transaction, height, index, timestamp: committedAt }
    },
    async prove(place) {
      const { index } = place
      const { note, checkpoint } = await readCheckpoint()
      const { size, root } = checkpoint
      if (index >= size)
        throw new LedgerDamaged(
          `the checkpoint has ${size} entries, and the index in the database has entry ${index}`,
        )
      const leaf = recent.get(index)?.leaf ?? leafHash(await readBytes(place), nodePrimitives)
      const read = readNodesFromTiles({ size, readTile })
      const path = await proveInclusion({ index, size }, { read, hashing: nodePrimitives })
      // A wrong proof would be rejected by its receiver.
      if (!verifyInclusion({ index, size, leaf, path, root }, nodePrimitives)) {
        tiles.clear()
        throw await findDamageOfProof(folder, { place, checkpoint })
      }
      return { index, tlogProof: writeTlogProof({ index, path, checkpoint: note }), checkpoint: note }
    },
  }
}

type Recent = { readonly transaction: SignedTransaction; readonly leaf: Hash }

const verified = (entry: Uint8Array): Recent | undefined => {
  try {
    return { transaction: readVerifiedEntry(entry), leaf: leafHash(entry, nodePrimitives) }
  } catch {
    return undefined
  }
}

/** Each takes 16 KiB with its inner hashes. Enough for proofs of a million entries. */
const maxCachedTiles = 4_096
/** An entry is often requested again soon, for its PDF or proof. Entries never change, and these were verified. */
const maxRecent = 1_000

/** Nearly every proof contains tiles above the lowest level. */
const cacheTiles =
  (folder: TileFolder, cached: Map<string, TileNodes>): TileSource =>
  async (place) => {
    const path = tilePath(place)
    const nodes = cached.get(path) ?? nodesOf(await folder.readTile(place), nodePrimitives)
    remember(cached, { key: path, value: nodes, atMost: maxCachedTiles })
    return nodes
  }
