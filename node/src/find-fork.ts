import {
  type Hash,
  isSameHead,
  proveConsistency,
  readNodesFromTiles,
  verifyConsistency,
} from '@millseal/proof'
import { nodePrimitives } from '@millseal/proof/node'
import { type Copy, rootAt } from './copy.ts'
import type { Fork } from './evidence.ts'
import type { Signed } from './signed.ts'
import type { SourceLog } from './source-log.ts'

/**
 * Whether the log has signed another history than the one that was seen. Undefined if it has not, or if nothing proves it: anybody
 * can send an old checkpoint, or a wrong proof. Rejects if the log cannot be read.
 */
export const findFork = async (
  suspect: Signed,
  { seen, copy, source }: { readonly seen: Signed; readonly copy: Copy; readonly source: SourceLog },
): Promise<Fork | undefined> => {
  if (suspect.size === seen.size) return isSameHead(suspect, seen) ? undefined : twoTrees(suspect, seen)
  if (suspect.size > seen.size) return await longerFork(suspect, { seen, source })
  return await shorterFork(suspect, { seen, copy, source })
}

const twoTrees = (one: Signed, other: Signed): Fork => ({
  kind: 'fork',
  reason: `The log has signed two different trees of ${one.size} entries`,
  checkpoints: [other.note, one.note],
})

const longerFork = async (
  suspect: Signed,
  { seen, source }: { readonly seen: Signed; readonly source: SourceLog },
): Promise<Fork | undefined> => {
  if (seen.size === 0) return undefined
  const beginning = await source.proveBeginning(seen.size, suspect)
  return forkOf({ shorter: seen, longer: suspect, ...beginning })
}

const shorterFork = async (
  suspect: Signed,
  { seen, copy, source }: { readonly seen: Signed; readonly copy: Copy; readonly source: SourceLog },
): Promise<Fork | undefined> => {
  if (suspect.size === 0) return undefined
  const { tree, tiles } = copy
  // Without a whole copy of what was seen, only the log can show what was there.
  if (tree.size !== seen.size) {
    const beginning = await source.proveBeginning(suspect.size, seen)
    return forkOf({ shorter: suspect, longer: seen, ...beginning })
  }
  const read = readNodesFromTiles({ size: seen.size, readTile: tiles.readTile })
  const growth = { oldSize: suspect.size, newSize: seen.size }
  const proof = await proveConsistency(growth, { read, hashing: nodePrimitives })
  return forkOf({ shorter: suspect, longer: seen, root: await rootAt(copy, suspect.size), proof })
}

const forkOf = ({
  shorter,
  longer,
  root,
  proof,
}: {
  readonly shorter: Signed
  readonly longer: Signed
  readonly root: Hash
  readonly proof: readonly Hash[]
}): Fork | undefined => {
  const growth = { oldSize: shorter.size, newSize: longer.size, oldRoot: root, newRoot: longer.root }
  const isProven = verifyConsistency({ ...growth, proof }, nodePrimitives)
  if (!isProven || isSameHead({ size: shorter.size, root }, shorter)) return undefined
  return {
    kind: 'fork',
    reason: `The first ${shorter.size} of the ${longer.size} entries of the log are not those that it signed before`,
    checkpoints: [shorter.note, longer.note],
    root,
    proof,
  }
}
