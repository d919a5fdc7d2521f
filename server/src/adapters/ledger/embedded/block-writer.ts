import { type NoteSigner, type StatusTree, type VerifiedTransaction, writeStateLeaf } from '@millseal/proof'
import type { Block } from './block-journal.ts'
import { correctedSubject } from '@millseal/replay'
import { writeEntry } from './entry.ts'
import type { PlacedEntry } from './index-rows.ts'
import type { IndexWriter } from './index-writer.ts'
import { extendLog, type LogState, signAgain, type SignedState, type Signing } from './log-state.ts'
import { offsetsOf, startOfBundle } from './read-entries.ts'
import type { RecoveredLog } from './recover-log.ts'

/** The state of the log during one term. After a rejection it must not be used any more. */
export type BlockWriter = AsyncDisposable & {
  readonly state: LogState
  /** The newest time of the log; undefined before its first checkpoint. */
  readonly newest: Date | undefined
  /** Adds a state leaf. Resolves when the block is recorded. `time` must not be before `newest`. */
  write(admitted: readonly VerifiedTransaction[], time: Date): Promise<Block>
  /** Signs the same entries again. Not after a state leaf, which has the time. */
  sign(time: Date): Promise<void>
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
      const { size: firstIndex } = state.tree
      const time = committedAt.toISOString()
      const entries = entriesOf(admitted, { firstIndex, time, operator, status })
      const block: Block = { height: height + 1, firstIndex, entryCount: entries.length, committedAt }
      const placed = placeAfter(state, { entries, admitted, block })
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
    async sign(time) {
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

/** The last one is the state leaf, which says what the corrections among the others change. */
const entriesOf = (
  admitted: readonly VerifiedTransaction[],
  {
    firstIndex,
    time,
    operator,
    status,
  }: {
    readonly firstIndex: number
    readonly time: string
    readonly operator: string
    readonly status: StatusTree
  },
): readonly Uint8Array[] => {
  for (const [at, { transaction }] of admitted.entries()) {
    const subject = correctedSubject({ transaction, time })
    if (subject !== undefined) status.add(subject, firstIndex + at)
  }
  const leaf = writeStateLeaf({ time, operator, status: status.head })
  return [...admitted.map((transaction) => writeEntry(transaction, time)), leaf]
}

const placeAfter = (
  { edge, tree }: LogState,
  added: {
    readonly entries: readonly Uint8Array[]
    readonly admitted: readonly VerifiedTransaction[]
    readonly block: Block
  },
): PlacedEntry[] => {
  const offsets = offsetsOf([...edge, ...added.entries], startOfBundle(tree.size))
  const { height, committedAt } = added.block
  return added.entries.map((entry, at) => ({
    index: tree.size + at,
    height,
    transaction: added.admitted[at]?.transaction,
    time: committedAt.toISOString(),
    bundleOffset: offsets[edge.length + at] ?? 0,
    bundleBytes: entry.length,
  }))
}

/** Waits for all writes before it rejects. */
const allDone = async <T extends readonly Promise<unknown>[]>(
  writes: readonly [...T],
): Promise<{ [K in keyof T]: Awaited<T[K]> }> => {
  await Promise.allSettled(writes)
  return await Promise.all(writes)
}
