import type { Hashing } from '../primitives.ts'
import { equalBytes } from '../encoding/bytes.ts'
import { type Hash, nodeHash } from './merkle-hash.ts'
import { type NodeReader, readFolded, splitOf, type Subtrees, subtreesOf } from './subtrees.ts'

export type Inclusion = { readonly index: number; readonly size: number }

/** RFC 6962 §2.1.1: the audit path of the leaf `index` in the tree of `size` leaves, from the leaf up. */
export const proveInclusion = async (
  { index, size }: Inclusion,
  source: { readonly read: NodeReader; readonly hashing: Hashing },
): Promise<Hash[]> => {
  if (!Number.isSafeInteger(index) || index < 0 || index >= size) {
    throw new RangeError(`A tree of ${size} leaves has no leaf ${index}`)
  }
  return await readFolded(auditPath(index, { from: 0, to: size }), source)
}

const auditPath = (index: number, range: { from: number; to: number }): Subtrees[] => {
  let { from, to } = range
  const fromTheTop: Subtrees[] = []
  while (to - from > 1) {
    const middle = from + splitOf(to - from)
    if (index < middle) {
      fromTheTop.push(subtreesOf(middle, to))
      to = middle
    } else {
      fromTheTop.push(subtreesOf(from, middle))
      from = middle
    }
  }
  return fromTheTop.toReversed()
}

export type InclusionClaim = Inclusion & {
  readonly leaf: Hash
  readonly path: readonly Hash[]
  readonly root: Hash
}

/** RFC 9162 §2.1.3.2. */
export const verifyInclusion = (
  { index, size, leaf, path, root }: InclusionClaim,
  hashing: Hashing,
): boolean => {
  if (!Number.isSafeInteger(size) || !Number.isSafeInteger(index) || index < 0 || index >= size) return false
  let at = index
  let last = size - 1
  let hash = leaf
  for (const sibling of path) {
    if (last === 0) return false
    if (at % 2 === 1 || at === last) {
      hash = nodeHash(sibling, hash, hashing)
      while (at % 2 === 0 && at !== 0) {
        at /= 2
        last = Math.floor(last / 2)
      }
    } else {
      hash = nodeHash(hash, sibling, hashing)
    }
    at = Math.floor(at / 2)
    last = Math.floor(last / 2)
  }
  return last === 0 && equalBytes(hash, root)
}
