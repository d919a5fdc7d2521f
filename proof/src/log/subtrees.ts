import { emptyRoot, type Hash, type Hashing, nodeHash } from './merkle-hash.ts'

/** The root of the complete subtree over the leaves from `index · 2^level` to `(index + 1) · 2^level`. */
export type NodePlace = { readonly level: number; readonly index: number }

/** Complete subtrees, left to right, that together cover a range of leaves. */
export type Subtrees = readonly NodePlace[]

/** Where the hashes of complete subtrees come from: tiles, or memory. Whoever reads does not trust, but verify. */
export type NodeReader = (places: readonly NodePlace[]) => Promise<readonly Hash[]>

/** Covers the leaves `from` ≤ i < `to`; a range of a Merkle tree starts where its largest subtree may start. */
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

/** The hash over adjoining subtrees of decreasing size, as RFC 6962 §2.1 folds an incomplete tree. */
export const foldHashes = (hashes: readonly Hash[], hashing: Hashing): Hash =>
  hashes.length === 0
    ? emptyRoot(hashing)
    : hashes.reduceRight((right, left) => nodeHash(left, right, hashing))

/** Asks the reader once for all that is needed, and folds each part to one hash. */
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

/** The largest power of two smaller than `size`. */
export const splitOf = (size: number): number => {
  let split = 1
  while (split * 2 < size) split *= 2
  return split
}
