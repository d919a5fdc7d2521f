import type { Hashing } from '../primitives.ts'
import { emptyRoot, type Hash, nodeHash } from './merkle-hash.ts'

/** The root of the complete subtree over the leaves from `index · 2^level` to `(index + 1) · 2^level`. */
export type NodePlace = { readonly level: number; readonly index: number }

/** Complete subtrees from left to right that cover a range of leaves. */
export type Subtrees = readonly NodePlace[]

/** The source of subtree hashes: tiles or memory. Callers must verify what they read. */
export type NodeReader = (places: readonly NodePlace[]) => Promise<readonly Hash[]>

/** Covers the leaves `from` ≤ i < `to`. `from` must be aligned to the largest subtree of the range. */
export const subtreesOf = (from: number, to: number): NodePlace[] => {
  const found: NodePlace[] = []
  for (let at = from; at < to; ) {
    let level = 0
    let width = 1
    while (at % (width * 2) === 0 && at + width * 2 <= to) {
      width *= 2
      level += 1
    }
    found.push({ level, index: at / width })
    at += width
  }
  return found
}

/** Combines adjacent subtrees of decreasing size to one hash, as in RFC 6962 §2.1. */
export const foldHashes = (hashes: readonly Hash[], hashing: Hashing): Hash =>
  hashes.length === 0
    ? emptyRoot(hashing)
    : hashes.reduceRight((right, left) => nodeHash(left, right, hashing))

/** Reads all nodes at once and combines each part to one hash. */
export const readFolded = async (
  parts: readonly Subtrees[],
  { read, hashing }: { readonly read: NodeReader; readonly hashing: Hashing },
): Promise<Hash[]> => {
  const hashes = await read(parts.flat())
  let at = 0
  return parts.map((part) => {
    const own = hashes.slice(at, at + part.length)
    at += part.length
    return foldHashes(own, hashing)
  })
}

/** The root of the first `size` leaves. */
export const readRoot = async (
  size: number,
  source: { readonly read: NodeReader; readonly hashing: Hashing },
): Promise<Hash> => {
  const [root] = await readFolded([subtreesOf(0, size)], source)
  return root ?? emptyRoot(source.hashing)
}

/** The largest power of two smaller than `size`. */
export const splitOf = (size: number): number => {
  let split = 1
  while (split * 2 < size) split *= 2
  return split
}
