import { growTree, isSameHead, leafHash, rootOf, verifyConsistency } from '@millseal/proof'
import { nodePrimitives } from '@millseal/proof/node'
import { LogRefused } from '@millseal/replay'
import { type Copy, openCopy } from './copy.ts'
import { LogLied } from './evidence.ts'
import type { NodeFiles } from './files.ts'
import { LogMalformed } from './http-log.ts'
import type { Served } from './log-memory.ts'
import type { Signed } from './signed.ts'
import type { SourceLog } from './source-log.ts'

/** Keeps the copy of one log. Calls must not overlap. */
export type Copier = {
  /** The copy up to the checkpoint, which continues what was seen before. Throws `LogLied`. */
  copyUpTo(target: Signed): Promise<void>
  /** Throws `LogLied` if the checkpoint does not say what the entries say, if the copy has as many. */
  judge(signed: Signed): Promise<void>
  /** The copy as it is. With `exactly`, no entries after the published checkpoint. */
  open(how?: { readonly exactly: boolean }): Promise<Copy>
  close(): Promise<void>
}

/** Bounds the memory: an entry has at most 64 KiB, usually one. */
const entriesAtOnce = 1_024

export const createCopier = ({
  files,
  source,
  published,
  operator,
}: {
  readonly files: NodeFiles
  readonly source: SourceLog
  readonly published: () => Served | undefined
  /** What the first checkpoint calls its operator. */
  readonly operator: () => string | undefined
}): Copier => {
  let copy: Copy | undefined

  const open = async ({ exactly = false } = {}): Promise<Copy> => {
    if (exactly && copy?.tree.size !== published()?.size) copy = undefined
    copy ??= await openCopy(files, { checkpoint: published(), operator: operator(), exactly })
    return copy
  }
  const using = async <T>(work: (copy: Copy) => Promise<T>): Promise<T> => {
    try {
      return await work(await open())
    } catch (error) {
      // It may have judged entries that are not on disk.
      copy = undefined
      throw error
    }
  }
  return {
    open,
    copyUpTo: (target) =>
      using(async (opened) => {
        while (opened.tree.size < target.size) await extend(opened, { target, source })
        if (opened.tree.size > target.size)
          throw new Error(`the copy has ${opened.tree.size} entries, more than the checkpoint that was seen`)
        assertHonest(opened, { signed: target, before: published() })
      }),
    judge: (signed) =>
      using(async (opened) => {
        if (opened.tree.size === signed.size) assertHonest(opened, { signed, before: published() })
      }),
    async close() {
      await copy?.save()
    },
  }
}

/** Throws `LogLied`. */
const assertHonest = (
  copy: Copy,
  { signed, before }: { readonly signed: Signed; readonly before: Served | undefined },
): void => {
  const lie = { kind: 'lie', checkpoint: signed.note, before: before?.note } as const
  if (before !== undefined && before.size < signed.size && isEarlier(signed, before))
    throw new LogLied({
      ...lie,
      reason: `The time of the log went backwards, from ${before.time} to ${signed.time ?? 'none'}`,
    })
  try {
    copy.assertSays(signed)
  } catch (error) {
    throw error instanceof LogRefused ? new LogLied({ ...lie, reason: error.message }) : error
  }
}

const isEarlier = (one: Signed, other: Signed): boolean =>
  other.time !== undefined && (one.time === undefined || one.time < other.time)

/** Adds the next entries, after they are proven to be those of the checkpoint: so the log itself answers for each. */
const extend = async (
  copy: Copy,
  { target, source }: { readonly target: Signed; readonly source: SourceLog },
): Promise<void> => {
  const { size: from } = copy.tree
  const to = Math.min(target.size, from + entriesAtOnce)
  const entries = await source.readEntries({ from, to, size: target.size })
  await assertBeginning(copy, { entries, target, source })
  try {
    await copy.extend(entries)
  } catch (error) {
    if (!(error instanceof LogRefused)) throw error
    const index = copy.judged
    const bytes = entries[index - from] ?? new Uint8Array()
    const path = await source.proveEntry(bytes, index, target)
    throw new LogLied({
      kind: 'lie',
      reason: reasonOf(error),
      checkpoint: target.note,
      entry: { index, bytes, path },
    })
  }
}

const assertBeginning = async (
  copy: Copy,
  {
    entries,
    target,
    source,
  }: { readonly entries: readonly Uint8Array[]; readonly target: Signed; readonly source: SourceLog },
): Promise<void> => {
  const leaves = entries.map((entry) => leafHash(entry, nodePrimitives))
  const { tree } = growTree(copy.tree, leaves, nodePrimitives)
  const root = rootOf(tree, nodePrimitives)
  const growth = { oldSize: tree.size, newSize: target.size }
  const isProven =
    tree.size === target.size
      ? isSameHead({ size: tree.size, root }, target)
      : verifyConsistency(
          { ...growth, oldRoot: root, newRoot: target.root, proof: await source.proveConsistency(growth) },
          nodePrimitives,
        )
  if (!isProven) throw new LogMalformed('The entries that the log serves are not those of its checkpoint')
}

const reasonOf = ({ message, cause }: LogRefused): string =>
  cause instanceof Error ? `${message}: ${cause.message}` : message
