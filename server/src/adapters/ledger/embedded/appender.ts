import type { NoteSigner, SignedTransaction } from '@millseal/proof'
import type { Clock } from '../../../ports/clock/clock.ts'
import { admit, type Admission } from './admission.ts'
import { type Block, type BlockJournal, openBlockJournal } from './block-journal.ts'
import { assertLogIntact, assertRangeIntact, readPlaced } from './check-range.ts'
import { LedgerDamaged } from './damaged.ts'
import { readVerifiedEntry, writeEntry } from './entry.ts'
import type { IndexReader } from './index-reader.ts'
import type { IndexWriter } from './index-writer.ts'
import type { PlacedTransaction } from './index-rows.ts'
import { extendLog, type LogState, restoreLog } from './log-state.ts'
import { offsetsOf, readEntriesBetween, startOfBundle } from './read-entries.ts'
import type { TileFolder } from './tile-folder.ts'

export type Appended = Admission & { readonly block: Block | undefined }

/** The one that appends. Calls follow one another; after a rejection it must not be used any more. */
export type Appender = AsyncDisposable & {
  readonly size: number
  append(candidates: readonly SignedTransaction[]): Promise<Appended>
  /** Everything below `size`, so that nothing that was changed behind our back stays unnoticed. */
  checkOlder(signal: AbortSignal): Promise<void>
}

export type AppenderDependencies = {
  readonly folder: TileFolder
  readonly index: IndexWriter
  readonly reader: IndexReader
  readonly signer: NoteSigner
  readonly clock: Clock
}

/** This many of the newest entries are compared before the first append; older ones meanwhile. */
const checkedAtStart = 4_096

/** Throws `LedgerDamaged` naming what differs, and appends nothing to a log that is not whole. */
export const openAppender = async (deps: AppenderDependencies): Promise<Appender> => {
  const { folder, index, clock } = deps
  let state = await restoreLog(folder, deps.signer)
  await using opening = new AsyncDisposableStack()
  const journal = opening.use(await openBlockJournal(folder.path))
  const restored = state.tree.size
  await journal.cutTo(restored)
  await catchUp(deps, { journal, size: restored })
  const recent = startOfBundle(Math.max(0, restored - checkedAtStart))
  await assertRangeIntact(deps, {
    from: recent,
    to: restored,
    size: restored,
    blocks: await journal.readFrom(recent),
  })
  let { height } = await index.readHead()
  const opened = opening.move()

  const write = async (admitted: readonly SignedTransaction[]): Promise<Block> => {
    const block: Block = {
      height: height + 1,
      firstIndex: state.tree.size,
      count: admitted.length,
      timestamp: new Date(clock.now()),
    }
    const entries = admitted.map(writeEntry)
    const next = await extendLog(state, entries, deps.signer)
    const placed = placeAfter(state, { entries, admitted, block })
    await index.begin()
    // The rows go through the connection that holds the lock: whoever has lost it gets no further than here.
    await allDone([
      index.insert(block, placed),
      folder.write(next.tiles, next.bundles),
      journal.append(block),
    ])
    await folder.publish(next.state.note, state.note)
    await index.commit()
    await folder.clean(next.tiles, next.bundles)
    state = next.state
    ;({ height } = block)
    return block
  }

  return {
    get size() {
      return state.tree.size
    },
    async append(candidates) {
      const admission = await admit(candidates, {
        source: { ...index, readTransaction: (at) => readOne(folder, { index: at, state }) },
        nextIndex: state.tree.size,
      })
      const block = admission.admitted.length === 0 ? undefined : await write(admission.admitted)
      return { ...admission, block }
    },
    checkOlder: (signal) => assertLogIntact(deps, { to: recent, size: restored, signal }),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

const placeAfter = (
  { edge, tree }: LogState,
  added: {
    readonly entries: readonly Uint8Array[]
    readonly admitted: readonly SignedTransaction[]
    readonly block: Block
  },
): PlacedTransaction[] => {
  const offsets = offsetsOf([...edge, ...added.entries], startOfBundle(tree.size))
  return added.admitted.map((transaction, at) => ({
    index: tree.size + at,
    height: added.block.height,
    transaction,
    offset: offsets[edge.length + at] ?? 0,
    length: added.entries[at]?.length ?? 0,
  }))
}

/** Nothing is still being written when it rejects. */
const allDone = async (writes: readonly Promise<void>[]): Promise<void> => {
  const failed = (await Promise.allSettled(writes)).find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') throw failed.reason
}

const readOne = async (
  folder: TileFolder,
  { index, state }: { readonly index: number; readonly state: LogState },
): Promise<SignedTransaction> => {
  const [entry] = await readEntriesBetween(folder, { from: index, to: index + 1, size: state.tree.size })
  if (entry === undefined) throw new LedgerDamaged(`Entry ${index} is missing`)
  return readVerifiedEntry(entry)
}

/** The index may lag behind the tiles after a crash; the tiles count. The other way round it is another log's index. */
const catchUp = async (
  { folder, index }: AppenderDependencies,
  { journal, size }: { readonly journal: BlockJournal; readonly size: number },
): Promise<void> => {
  const head = await index.readHead()
  if (head.size > size) {
    throw new LedgerDamaged(
      `The index knows ${head.size} entries, but the checkpoint on disk has ${size}: the folder is older than the database, or another one`,
    )
  }
  if (head.size === size) return
  const blocks = await journal.readFrom(head.size)
  const [first] = blocks
  if (first?.firstIndex !== head.size || first.height !== head.height + 1) {
    throw new LedgerDamaged(`The file blocks does not say how the log went on after entry ${head.size}`)
  }
  for (const block of blocks) {
    const to = block.firstIndex + block.count
    const placed = await readPlaced(folder, { from: block.firstIndex, to, size, blocks: [block] })
    await index.begin()
    await index.insert(block, placed)
    await index.commit()
  }
}
