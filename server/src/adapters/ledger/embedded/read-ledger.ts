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
import { LedgerDamaged } from './damaged.ts'
import { readVerifiedEntry } from './entry.ts'
import type { Place } from './index-reader.ts'
import { startOfBundle } from './read-entries.ts'
import type { TileFolder } from './tile-folder.ts'

/** Reads entries by their place. Neither the index nor the files are believed: what is returned was checked. */
export type EntryReader = {
  read(place: Place, expected?: (transaction: SignedTransaction) => boolean): Promise<LedgerEntry>
  prove(place: Place): Promise<InclusionEvidence>
}

export const createEntryReader = ({
  folder,
  readKey,
}: {
  readonly folder: TileFolder
  /** Of the log, whoever made it. */
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
  // Once for all who ask in one turn of the event loop.
  let newest: ReturnType<typeof readNewest> | undefined
  const readCheckpoint = (): ReturnType<typeof readNewest> => {
    if (newest === undefined) setImmediate(() => (newest = undefined))
    newest ??= readNewest()
    return newest
  }
  const readBytes = ({ index, size, offset, length }: Place): Promise<Uint8Array> => {
    const first = startOfBundle(index)
    const place = { index: first / tileWidth, width: Math.min(tileWidth, size - first) }
    return folder.readEntry(place, { offset, length })
  }
  return {
    async read(place, expected = () => true) {
      const { height, index, timestamp } = place
      const entry = recent.get(index) ?? verified(await readBytes(place), index)
      remember(recent, { key: index, value: entry, atMost: maxRecent })
      const { transaction } = entry
      if (!expected(transaction)) throw new LedgerDamaged(`The index takes entry ${index} for another one`)
      return { transaction, height, index, timestamp }
    },
    async prove(place) {
      const { index } = place
      const { note, checkpoint } = await readCheckpoint()
      const { size, root } = checkpoint
      const read = readNodesFromTiles({ size, readTile })
      const path = await proveInclusion({ index, size }, { read, hashing: nodePrimitives })
      const leaf = recent.get(index)?.leaf ?? leafHash(await readBytes(place), nodePrimitives)
      // A proof that does not hold would be found out by others.
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
    throw new LedgerDamaged(`Entry ${index} is no valid transaction`, { cause })
  }
}

/** Of 16 KiB with the hashes above their leaves: those of a million entries, once proofs of them were asked for. */
const maxCachedTiles = 4_096
/** Whoever asks for an entry asks again soon: for its PDF, its proof. Entries never change, and these were checked. */
const maxRecent = 1_000

/** The few tiles above the lowest level are part of nearly every proof. */
const cacheTiles = (folder: TileFolder): TileSource => {
  const cached = new Map<string, TileNodes>()
  return async (place) => {
    const path = tilePath(place)
    const nodes = cached.get(path) ?? nodesOf(await folder.readTile(place), nodePrimitives)
    remember(cached, { key: path, value: nodes, atMost: maxCachedTiles })
    return nodes
  }
}
