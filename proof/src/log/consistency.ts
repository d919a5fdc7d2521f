import type { Hashing } from '../primitives.ts'
import { equalBytes } from '../encoding/bytes.ts'
import { emptyRoot, type Hash, nodeHash } from './merkle-hash.ts'
import { type NodeReader, readFolded, splitOf, type Subtrees, subtreesOf } from './subtrees.ts'

export type Growth = { readonly oldSize: number; readonly newSize: number }

/** RFC 6962 §2.1.2: proves that the tree of `newSize` leaves extends the tree of `oldSize` leaves. */
export const proveConsistency = async (
  { oldSize, newSize }: Growth,
  source: { readonly read: NodeReader; readonly hashing: Hashing },
): Promise<Hash[]> => {
  if (!isGrowth({ oldSize, newSize }))
    throw new RangeError(`A tree cannot grow from ${oldSize} to ${newSize} leaves`)
  if (oldSize === 0 || oldSize === newSize) return []
  return await readFolded(subproof(oldSize, newSize), source)
}

/** RFC 6962 §2.1.2, SUBPROOF(m, D[n], true), from the bottom up. */
const subproof = (oldSize: number, newSize: number): Subtrees[] => {
  const fromTheTop: Subtrees[] = []
  let from = 0
  let to = newSize
  while (to !== oldSize) {
    const middle = from + splitOf(to - from)
    if (oldSize <= middle) {
      fromTheTop.push(subtreesOf(middle, to))
      to = middle
    } else {
      fromTheTop.push(subtreesOf(from, middle))
      from = middle
    }
  }
  // The verifier knows the root of the old tree, so the proof only contains parts of it.
  if (from !== 0) fromTheTop.push(subtreesOf(from, to))
  return fromTheTop.toReversed()
}

export type ConsistencyClaim = Growth & {
  readonly oldRoot: Hash
  readonly newRoot: Hash
  readonly proof: readonly Hash[]
}

/** RFC 9162 §2.1.4.2. */
export const verifyConsistency = (
  { oldSize, newSize, oldRoot, newRoot, proof }: ConsistencyClaim,
  hashing: Hashing,
): boolean => {
  if (!isGrowth({ oldSize, newSize })) return false
  if (oldSize === newSize) return proof.length === 0 && equalBytes(oldRoot, newRoot)
  if (oldSize === 0) return proof.length === 0 && equalBytes(oldRoot, emptyRoot(hashing))
  let at = oldSize - 1
  let last = newSize - 1
  while (at % 2 === 1) {
    at = Math.floor(at / 2)
    last = Math.floor(last / 2)
  }
  // If the old tree is complete, its root is the start of the path and not part of the proof.
  const [first, ...path] = at === 0 ? [oldRoot, ...proof] : proof
  if (first === undefined) return false
  let oldHash = first
  let newHash = first
  for (const sibling of path) {
    if (last === 0) return false
    if (at % 2 === 1 || at === last) {
      oldHash = nodeHash(sibling, oldHash, hashing)
      newHash = nodeHash(sibling, newHash, hashing)
      while (at % 2 === 0 && at !== 0) {
        at /= 2
        last = Math.floor(last / 2)
      }
    } else {
      newHash = nodeHash(newHash, sibling, hashing)
    }
    at = Math.floor(at / 2)
    last = Math.floor(last / 2)
  }
  return last === 0 && equalBytes(oldHash, oldRoot) && equalBytes(newHash, newRoot)
}

const isGrowth = ({ oldSize, newSize }: Growth): boolean =>
  Number.isSafeInteger(oldSize) && Number.isSafeInteger(newSize) && oldSize >= 0 && oldSize <= newSize
