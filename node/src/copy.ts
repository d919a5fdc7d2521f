import { randomUUID } from 'node:crypto'
import {
  type Checkpoint,
  type Hash,
  isSameHead,
  readNodesFromTiles,
  readRoot,
  rootOf,
  type TreeEdge,
} from '@millseal/proof'
import { nodePrimitives } from '@millseal/proof/node'
import {
  certificateHash,
  createReplay,
  emptyHashIndex,
  emptyReplay,
  type Entry,
  restoreHashIndex,
} from '@millseal/replay'
import { type CopyState, readCopySnapshot, writeCopySnapshot } from './copy-snapshot.ts'
import type { NodeFiles } from './files.ts'
import { type Issuers, restoreIssuers } from './issuers.ts'
import { createStoredTiles, type StoredTiles } from './stored-tiles.ts'

/** The entries of a log that this node has judged and has on disk. */
export type Copy = {
  readonly tree: TreeEdge
  /** How many entries the log may contain, of those that were given. */
  readonly judged: number
  readonly tiles: StoredTiles
  readonly issuers: Issuers
  /**
   * Adds the next entries, and resolves when they are on disk. Rejects with `LogRefused` if the log must not contain them.
   * After any rejection this copy must not be used any more: open it again.
   */
  extend(entries: readonly Uint8Array[]): Promise<void>
  /** Throws `LogRefused` unless the checkpoint says what the entries say. */
  assertSays(checkpoint: Checkpoint): void
  /** Entries of certificates that may have this hash of their JSON or PDF. */
  candidatesOf(hash: string): Promise<readonly number[]>
  proveStatus: ReturnType<typeof createReplay>['proveStatus']
  /** Writes what makes the next start quick. */
  save(): Promise<void>
}

/** So that a start after a crash judges few entries again. */
const entriesBetweenSnapshots = 2_048
/** Of the entries, for logs whose snapshot is large. */
const shareBetweenSnapshots = 1 / 64
const atOnce = 1_024
const snapshotFile = 'snapshot'

/**
 * Opens the copy on disk. `checkpoint` is the newest that was published, with all its entries on disk. Entries after it may
 * be there too; with `exactly`, they are left out.
 */
export const openCopy = async (
  files: NodeFiles,
  {
    checkpoint,
    operator,
    exactly,
  }: {
    readonly checkpoint: Checkpoint | undefined
    readonly operator: string | undefined
    readonly exactly: boolean
  },
): Promise<Copy> => {
  const size = checkpoint?.size ?? 0
  const bytes = await files.read(snapshotFile)
  const snapshot = bytes && readCopySnapshot(bytes)
  const replay = snapshot?.replay
  const fits = replay !== undefined && replay.operator === operator && (!exactly || replay.tree.size <= size)
  const copy = restoreCopy(files, fits && snapshot !== undefined ? snapshot : emptyState(operator))
  while (copy.tree.size < size) {
    const to = Math.min(size, copy.tree.size + atOnce)
    await copy.restoreEntries(await copy.tiles.readRange(copy.tree.size, to))
  }
  if (checkpoint !== undefined && !(await containsHead(copy, checkpoint)))
    throw new Error('The entries of the copy are not those of its checkpoint: see docs/node.md')
  return copy
}

const emptyState = (operator: string | undefined): CopyState => ({
  replay: emptyReplay(operator),
  salt: randomUUID(),
  pdfs: emptyHashIndex(),
  issuers: [],
})

const restoreCopy = (files: NodeFiles, state: CopyState) => {
  const { salt } = state
  const tiles = createStoredTiles(files)
  const pdfs = restoreHashIndex(state.pdfs, { salt, hashing: nodePrimitives })
  const issuers = restoreIssuers(state.issuers, state.replay.operator)
  let savedAt = state.replay.tree.size
  let judged = savedAt
  const { replay, judge } = createJudge(state.replay, {
    tiles,
    onAdded(entry, index) {
      judged = index + 1
      if (entry === undefined) return
      const pdf = certificateHash(entry.transaction, 'pdfHash')
      if (pdf !== null) pdfs.add(pdf, index)
      issuers.add(entry, index)
    },
  })
  const save = async (): Promise<void> => {
    const known = { replay: replay.state, salt, pdfs: pdfs.state, issuers: issuers.state }
    await files.write([{ name: snapshotFile, bytes: writeCopySnapshot(known) }])
    savedAt = replay.tree.size
  }
  return {
    get tree() {
      return replay.tree
    },
    get judged() {
      return judged
    },
    tiles,
    issuers,
    async extend(entries: readonly Uint8Array[]): Promise<void> {
      const { size } = replay.tree
      const changed = await judge(entries)
      await files.write(await tiles.filesFor(size, { entries, tiles: changed }))
      tiles.forget()
      const since = replay.tree.size - savedAt
      if (since >= Math.max(entriesBetweenSnapshots, size * shareBetweenSnapshots)) await save()
    },
    restoreEntries: judge,
    assertSays: replay.assertSays,
    async candidatesOf(hash: string): Promise<readonly number[]> {
      const found = [...pdfs.find(hash), ...(await replay.entriesOf(hash))]
      return [...new Set(found)].toSorted((a, b) => a - b)
    },
    proveStatus: replay.proveStatus,
    async save() {
      if (replay.tree.size > savedAt) await save()
    },
  }
}

/** A replay that reads what it has judged before from the disk. */
const createJudge = (
  state: CopyState['replay'],
  {
    tiles,
    onAdded,
  }: { readonly tiles: StoredTiles; readonly onAdded: (entry: Entry | undefined, index: number) => void },
) => {
  let pending: { readonly from: number; readonly entries: readonly Uint8Array[] } = { from: 0, entries: [] }
  let unread: unknown
  const replay = createReplay(state, {
    primitives: nodePrimitives,
    onAdded,
    async readEntry(index) {
      const entry = pending.entries[index - pending.from]
      if (entry !== undefined) return entry
      return await tiles.readEntry(index).catch((error: unknown) => {
        unread = error
        throw error
      })
    },
  })
  const judge = async (entries: readonly Uint8Array[]) => {
    pending = { from: replay.tree.size, entries }
    try {
      return await replay.add(entries)
    } catch (error) {
      // The log did nothing wrong if our own disk failed.
      throw unread === undefined ? error : unread
    } finally {
      pending = { from: 0, entries: [] }
    }
  }
  return { replay, judge }
}

type OnDisk = { readonly tree: TreeEdge; readonly tiles: StoredTiles }

/** The root of the first `size` entries of the copy, which has at least as many. */
export const rootAt = async ({ tree, tiles }: OnDisk, size: number): Promise<Hash> => {
  if (size === tree.size) return rootOf(tree, nodePrimitives)
  const read = readNodesFromTiles({ size, readTile: tiles.readTile })
  return await readRoot(size, { read, hashing: nodePrimitives })
}

const containsHead = async (copy: OnDisk, { size, root }: Checkpoint): Promise<boolean> =>
  isSameHead({ size, root }, { size, root: await rootAt(copy, size) })
