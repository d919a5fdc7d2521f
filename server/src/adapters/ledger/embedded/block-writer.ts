import type { NoteSigner, VerifiedTransaction } from '@millseal/proof'
import type { Block } from './block-journal.ts'
import { correctedSubject } from '@millseal/replay'
import { writeEntry } from './entry.ts'
import type { PlacedTransaction } from './index-rows.ts'
import type { IndexWriter } from './index-writer.ts'
import { extendLog, type LogState, signAgain, type SignedState, type Signing } from './log-state.ts'
import { offsetsOf, startOfBundle } from './read-entries.ts'
import type { RecoveredLog } from './recover-log.ts'

/** The state of the log during one term. After a rejection it must not be used any more. */
export type BlockWriter = AsyncDisposable & {
  readonly state: LogState
  /** The newest time of the log; undefined before its first checkpoint. */
  readonly newest: Date | undefined
  /** Resolves when the block is recorded. `time` must not be before `newest`. */
  write(admitted: readonly VerifiedTransaction[], time: Date): Promise<Block>
  /** Signs the checkpoint again. */
  renew(time: Date): Promise<void>
  /** Resolves when files that earlier blocks replaced are deleted. */
  cleaned(): Promise<void>
}

type WriterDependencies = {
  readonly index: IndexWriter
  readonly signer: NoteSigner
  /** The DID of the operator. */
  readonly operator: string
  /** Called with each checkpoint once it is published. */
  readonly onPublished: (note: string) => void
}

export const createBlockWriter = (
  { index, signer, operator, onPublished }: WriterDependencies,
  found: RecoveredLog,
): BlockWriter => {
  const { folder, status } = found
  let { state, height, newest } = found
  let cleaning = Promise.resolve()

  const signingAt = (time: Date): Signing => ({ signer, operator, time, status: status.head })
  const advance = (next: SignedState, time: Date): void => {
    state = next
    newest = time
    onPublished(next.note)
  }
  return {
    get state() {
      return state
    },
    get newest() {
      return newest
    },
    async write(admitted, committedAt) {
      const { size } = state.tree
      const block: Block = { height: height + 1, firstIndex: size, entryCount: admitted.length, committedAt }
      const time = committedAt.toISOString()
      const entries = admitted.map((transaction) => writeEntry(transaction, time))
      const placed = placeAfter(state, { entries, admitted, block })
      for (const entry of placed) {
        const subject = correctedSubject(entry)
        if (subject !== undefined) status.add(subject, entry.index)
      }
      const next = await extendLog(state, entries, signingAt(committedAt))
      await index.begin()
      const extended = { tiles: next.tiles, bundles: next.bundles, block }
      const [checkpoint] = await allDone([
        folder.prepare(next.state.note, { expected: state.note, extended }),
        index.insert(block, placed),
      ])
      // Checked at the last moment, on the connection that holds the lock: without the lock we must not publish.
      await index.assertHeld()
      await checkpoint.publish()
      await index.commit()
      advance(next.state, committedAt)
      ;({ height } = block)
      cleaning = cleaning.then(() => folder.clean(next.tiles, next.bundles))
      cleaning.catch(() => {})
      return block
    },
    async renew(time) {
      const next = await signAgain(state, signingAt(time))
      const checkpoint = await folder.prepare(next.note, { expected: state.note })
      await index.assertHeld()
      await checkpoint.publish()
      advance(next, time)
    },
    cleaned: () => cleaning,
    [Symbol.asyncDispose]: () => cleaning.catch(() => {}),
  }
}

const placeAfter = (
  { edge, tree }: LogState,
  added: {
    readonly entries: readonly Uint8Array[]
    readonly admitted: readonly VerifiedTransaction[]
    readonly block: Block
  },
): PlacedTransaction[] => {
  const offsets = offsetsOf([...edge, ...added.entries], startOfBundle(tree.size))
  const { height, committedAt } = added.block
  return added.admitted.map(({ transaction }, at) => ({
    index: tree.size + at,
    height,
    transaction,
    time: committedAt.toISOString(),
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
