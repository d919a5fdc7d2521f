import type { NoteSigner, SignedTransaction } from '@millseal/proof'
import type { Clock } from '../../../ports/clock/clock.ts'
import { type Admission, admit } from './admission.ts'
import type { Block } from './block-journal.ts'
import { assertLogIntact } from './check-range.ts'
import { LedgerDamaged } from './ledger-damaged.ts'
import { readVerifiedEntry, writeEntry } from './entry.ts'
import type { IndexReader } from './index-reader.ts'
import type { PlacedTransaction } from './index-rows.ts'
import type { IndexWriter } from './index-writer.ts'
import { extendLog, type LogState } from './log-state.ts'
import { offsetsOf, readEntriesBetween, startOfBundle } from './read-entries.ts'
import { recoverLog } from './recover-log.ts'
import type { TileFolder } from './tile-folder.ts'

export type Appended = Admission & { readonly block: Block | undefined }

/** Appends for one term. Calls must not overlap; after a rejection it must not be used any more. */
export type Appender = AsyncDisposable & {
  readonly size: number
  append(candidates: readonly SignedTransaction[]): Promise<Appended>
  /** Checks the entries that opening the log has not checked, so that every change from outside is detected. */
  checkOlder(signal: AbortSignal): Promise<void>
}

export type AppenderDependencies = {
  readonly folder: TileFolder
  readonly index: IndexWriter
  readonly reader: IndexReader
  readonly signer: NoteSigner
  readonly clock: Clock
}

/** Throws `LedgerDamaged`, naming the difference, if the log is not intact. */
export const openAppender = async (deps: AppenderDependencies): Promise<Appender> => {
  const { index, clock } = deps
  await using opening = new AsyncDisposableStack()
  const found = await recoverLog(deps, opening)
  const { folder, journal } = found
  let { state, height } = found
  let cleaning = Promise.resolve()
  opening.defer(async () => await cleaning.catch(() => {}))
  const opened = opening.move()

  const write = async (admitted: readonly SignedTransaction[]): Promise<Block> => {
    const block: Block = {
      height: height + 1,
      firstIndex: state.tree.size,
      entryCount: admitted.length,
      committedAt: new Date(clock.now()),
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
    // Checked at the last moment, on the connection that holds the lock: without the lock we must not publish.
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
    bundleOffset: offsets[edge.length + at] ?? 0,
    bundleBytes: added.entries[at]?.length ?? 0,
  }))
}

/** Waits for all writes before it rejects. */
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
