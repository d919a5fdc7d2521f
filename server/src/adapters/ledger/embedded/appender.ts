import type { NoteSigner, SignedTransaction } from '@millseal/proof'
import type { Clock } from '../../../ports/clock/clock.ts'
import { type Admission, admit } from './admission.ts'
import { type Block, openBlockJournal } from './block-journal.ts'
import { assertLogIntact } from './check-range.ts'
import { LedgerDamaged } from './damaged.ts'
import { readVerifiedEntry, writeEntry } from './entry.ts'
import type { IndexReader } from './index-reader.ts'
import type { PlacedTransaction } from './index-rows.ts'
import type { IndexWriter } from './index-writer.ts'
import { extendLog, type LogState } from './log-state.ts'
import { offsetsOf, readEntriesBetween, startOfBundle } from './read-entries.ts'
import { takeUpLog } from './take-up-log.ts'
import type { TileFolder } from './tile-folder.ts'
import { openTileWriter } from './tile-writer.ts'

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

/** Throws `LedgerDamaged` naming what differs, and appends nothing to a log that is not whole. */
export const openAppender = async (deps: AppenderDependencies): Promise<Appender> => {
  const { index, clock } = deps
  await using opening = new AsyncDisposableStack()
  const folder = opening.use(await openTileWriter(deps.folder))
  const journal = opening.use(await openBlockJournal(folder))
  const found = await takeUpLog({ ...deps, folder }, journal)
  let { state, height } = found
  let cleaning = Promise.resolve()
  opening.defer(async () => await cleaning.catch(() => {}))
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
    const [checkpoint] = await allDone([
      folder.prepare(next.state.note),
      index.insert(block, placed),
      folder.write(next.tiles, next.bundles),
      journal.append(block),
    ])
    // Asked at the last moment, of the connection that holds the lock: who has lost it must not publish.
    await index.assertHeld()
    await checkpoint.publish(state.note)
    await index.commit()
    state = next.state
    ;({ height } = block)
    cleaning = cleaning.then(() => folder.clean(next.tiles, next.bundles))
    cleaning.catch(() => {})
    return block
  }

  return {
    get size() {
      return state.tree.size
    },
    async append(candidates) {
      await cleaning
      const admission = await admit(candidates, {
        source: { ...index, readTransaction: (at) => readOne(folder, { index: at, state }) },
        nextIndex: state.tree.size,
      })
      const block = admission.admitted.length === 0 ? undefined : await write(admission.admitted)
      return { ...admission, block }
    },
    checkOlder: (signal) =>
      assertLogIntact(deps, { to: found.checkedFrom, size: found.state.tree.size, signal }),
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
const allDone = async <T extends readonly Promise<unknown>[]>(
  writes: readonly [...T],
): Promise<{ [K in keyof T]: Awaited<T[K]> }> => {
  await Promise.allSettled(writes)
  return await Promise.all(writes)
}

const readOne = async (
  folder: TileFolder,
  { index, state }: { readonly index: number; readonly state: LogState },
): Promise<SignedTransaction> => {
  const [entry] = await readEntriesBetween(folder, { from: index, to: index + 1, size: state.tree.size })
  if (entry === undefined) throw new LedgerDamaged(`Entry ${index} is missing`)
  return readVerifiedEntry(entry)
}
