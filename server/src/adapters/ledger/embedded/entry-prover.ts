import {
  type Checkpoint,
  type Hash,
  isStateLeaf,
  leafHash,
  nodesOf,
  type NoteKey,
  proveInclusion,
  readNodesFromTiles,
  tilePath,
  type TileNodes,
  type TileSource,
  verifyCheckpoint,
  verifyInclusion,
} from '@millseal/proof'
import { nodePrimitives } from '@millseal/proof/node'
import { remember } from '../../../lib/remember.ts'
import type { LogEvidence, ProvenEntry, ProvenStatus } from '../../../ports/ledger/ledger.ts'
import type { StatusOfLog } from './corrections.ts'
import { findDamageOfEntry, findDamageOfProof } from './find-damage.ts'
import type { Place } from './index-reader.ts'
import { LedgerDamaged } from './ledger-damaged.ts'
import { readEntriesBetween } from './read-entries.ts'
import { type EntryReader, verified, type VerifiedEntry } from './read-ledger.ts'
import type { TileFolder } from './tile-folder.ts'

/** Proves entries and statuses against the newest checkpoint. Checks every proof before it returns it. */
export type EntryProver = {
  prove(wanted: {
    readonly places: readonly Place[]
    readonly subjects: readonly string[]
    readonly withState: boolean
  }): Promise<LogEvidence>
}

export type ProverDependencies = {
  readonly folder: TileFolder
  readonly entries: Pick<EntryReader, 'readVerified'>
  readonly status: StatusOfLog
  /** The key of the log, whichever process created it. */
  readonly readKey: () => Promise<NoteKey>
}

type Signed = { readonly note: string; readonly checkpoint: Checkpoint }

export const createEntryProver = (deps: ProverDependencies): EntryProver => {
  const { folder, entries } = deps
  const readCheckpoint = checkpointReader(deps)
  const proveStatuses = statusProver(deps, readCheckpoint)
  const tiles = new Map<string, TileNodes>()
  const readTile = cacheTiles(folder, tiles)

  const pathOf = async (
    { index, leaf }: { readonly index: number; readonly leaf: Hash },
    checkpoint: Checkpoint,
  ): Promise<readonly Hash[]> => {
    const { size, root } = checkpoint
    if (index >= size)
      throw new LedgerDamaged(
        `the checkpoint has ${size} entries, and the index in the database has entry ${index}`,
      )
    const read = readNodesFromTiles({ size, readTile })
    const path = await proveInclusion({ index, size }, { read, hashing: nodePrimitives })
    // A wrong proof would be rejected by its receiver.
    if (verifyInclusion({ index, size, leaf, path, root }, nodePrimitives)) return path
    tiles.clear()
    throw await findDamageOfProof(folder, { index, leaf, checkpoint })
  }
  const proven = async (
    index: number,
    { entry, checkpoint }: { readonly entry: VerifiedEntry; readonly checkpoint: Checkpoint },
  ): Promise<ProvenEntry> => {
    const { transaction, time, leaf } = entry
    return { transaction, time, index, path: await pathOf({ index, leaf }, checkpoint) }
  }
  const provePath = statePaths(folder, pathOf)
  return {
    async prove({ places, subjects, withState }) {
      const { note, checkpoint, statuses } = await proveStatuses(subjects)
      const wanted = places.map(async (place) =>
        proven(place.index, { entry: await entries.readVerified(place), checkpoint }),
      )
      const corrections = listedBy(statuses, subjects).map(async (index) =>
        proven(index, { entry: await readAt(folder, { index, size: checkpoint.size }), checkpoint }),
      )
      const proofs = await Promise.all([...wanted, ...corrections])
      const statePath = withState ? await provePath({ note, checkpoint }) : undefined
      return { checkpoint: note, statuses, entries: proofs, statePath }
    },
  }
}

/** Many proofs have the same checkpoint. */
const statePaths = (
  folder: TileFolder,
  pathOf: (
    entry: { readonly index: number; readonly leaf: Hash },
    checkpoint: Checkpoint,
  ) => Promise<readonly Hash[]>,
) => {
  let newest: { readonly note: string; readonly path: readonly Hash[] | undefined } | undefined
  return async ({ note, checkpoint }: Signed): Promise<readonly Hash[] | undefined> => {
    const { size } = checkpoint
    if (newest?.note === note || size === 0) return newest?.path
    const index = size - 1
    const [last] = await readEntriesBetween(folder, { from: index, to: size, size })
    const leaf = last && isStateLeaf(last) ? leafHash(last, nodePrimitives) : undefined
    const path = leaf && (await pathOf({ index, leaf }, checkpoint))
    newest = { note, path }
    return path
  }
}

const checkpointReader = ({ folder, readKey }: ProverDependencies): (() => Promise<Signed>) => {
  let latest: Signed | undefined
  const readNewest = async (): Promise<Signed> => {
    const note = await folder.readCheckpoint()
    if (note === undefined) throw new LedgerDamaged('checkpoint is missing')
    if (latest?.note !== note)
      latest = { note, checkpoint: verifyCheckpoint(note, await readKey(), nodePrimitives) }
    return latest
  }
  // Once for all calls of one tick.
  let newest: Promise<Signed> | undefined
  return () => {
    if (newest === undefined) setImmediate(() => (newest = undefined))
    newest ??= readNewest()
    return newest
  }
}

/** One call after the other: the status tree only grows, so it must not be ahead of the checkpoint of a call. */
const statusProver = ({ status }: ProverDependencies, readCheckpoint: () => Promise<Signed>) => {
  let before: Promise<unknown> = Promise.resolve()
  const prove = async (
    subjects: readonly string[],
  ): Promise<Signed & { readonly statuses: readonly ProvenStatus[] }> => {
    const signed = await readCheckpoint()
    const { size, status: head } = signed.checkpoint
    if (head === undefined) return { ...signed, statuses: [] }
    const tree = await status.advance(size, head)
    return { ...signed, statuses: subjects.map((subject) => tree.prove(subject)) }
  }
  return (subjects: readonly string[]): ReturnType<typeof prove> => {
    const proving = before.then(() => prove(subjects))
    before = proving.catch(() => {})
    return proving
  }
}

/** A leaf of another subject proves that there are no corrections. */
const listedBy = (statuses: readonly ProvenStatus[], subjects: readonly string[]): readonly number[] => {
  const listed = statuses.flatMap(({ subject, entries }, at) => (subject === subjects[at] ? entries : []))
  return [...new Set(listed)].toSorted((one, other) => one - other)
}

const readAt = async (
  folder: TileFolder,
  { index, size }: { readonly index: number; readonly size: number },
): Promise<VerifiedEntry> => {
  const [bytes] = await readEntriesBetween(folder, { from: index, to: index + 1, size })
  const entry = bytes && verified(bytes)
  if (entry === undefined) throw await findDamageOfEntry(folder, { index, size })
  return entry
}

/** Each takes 16 KiB with its inner hashes. Enough for proofs of a million entries. */
const maxCachedTiles = 4_096

/** Nearly every proof contains tiles above the lowest level. */
const cacheTiles =
  (folder: TileFolder, cached: Map<string, TileNodes>): TileSource =>
  async (place) => {
    const path = tilePath(place)
    const nodes = cached.get(path) ?? nodesOf(await folder.readTile(place), nodePrimitives)
    remember(cached, { key: path, value: nodes, atMost: maxCachedTiles })
    return nodes
  }
