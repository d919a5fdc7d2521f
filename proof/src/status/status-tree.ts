import type { TreeHead } from '../log/checkpoint.ts'
import { emptyRoot, type Hash, nodeHash } from '../log/merkle-hash.ts'
import type { Hashing } from '../primitives.ts'
import { type StatusLeaf, statusLeafHash, type StatusProof } from './status-leaf.ts'

/** All corrections of a log as a tree, built by adding them in the order of their entries. A correction costs log(n) hashes. */
export type StatusTree = {
  readonly head: TreeHead
  add(subject: string, entry: number): void
  prove(subject: string): StatusProof
}

export const createStatusTree = (hashing: Hashing): StatusTree => {
  const leaves: StatusLeaf[] = [{ subject: '', next: '', entries: [] }]
  /** The positions of the leaves in the order of their subjects. */
  const sorted: number[] = [0]
  const rows: Hash[][] = [[]]

  const leafAt = (index: number): StatusLeaf => {
    const leaf = leaves[index]
    if (leaf === undefined) throw new RangeError(`There is no status leaf ${index}`)
    return leaf
  }
  /** The place in `sorted` of the last subject that is not greater. */
  const placeOf = (subject: string): number => {
    let low = 0
    let high = sorted.length - 1
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if (leafAt(sorted[middle] ?? 0).subject <= subject) low = middle
      else high = middle - 1
    }
    return low
  }
  const put = (index: number, leaf: StatusLeaf): void => {
    leaves[index] = leaf
    updatePath(rows, { index, hash: statusLeafHash(leaf, hashing) }, hashing)
  }
  put(0, leafAt(0))

  return {
    get head() {
      return { size: leaves.length, root: rows.at(-1)?.[0] ?? emptyRoot(hashing) }
    },
    add(subject, entry) {
      const place = placeOf(subject)
      const index = sorted[place] ?? 0
      const leaf = leafAt(index)
      if (leaf.subject === subject) return put(index, { ...leaf, entries: [...leaf.entries, entry] })
      sorted.splice(place + 1, 0, leaves.length)
      put(leaves.length, { subject, next: leaf.next, entries: [entry] })
      put(index, { ...leaf, next: subject })
    },
    prove(subject) {
      const index = sorted[placeOf(subject)] ?? 0
      return { ...leafAt(index), index, path: pathOf(rows, index) }
    },
  }
}

/** A row has the parents of the row below it; the last node of a row of odd length moves up unchanged (RFC 6962 §2.1). */
const updatePath = (
  rows: Hash[][],
  { index, hash }: { readonly index: number; readonly hash: Hash },
  hashing: Hashing,
): void => {
  let at = index
  let node = hash
  for (let height = 0; ; height += 1) {
    const row = (rows[height] ??= [])
    row[at] = node
    if (row.length === 1) return
    const left = row[at - (at % 2)]
    const right = row[at - (at % 2) + 1]
    if (left === undefined) throw new RangeError('A node of the status tree is missing')
    node = right === undefined ? left : nodeHash(left, right, hashing)
    at = Math.floor(at / 2)
  }
}

const pathOf = (rows: readonly (readonly Hash[])[], index: number): Hash[] =>
  rows.slice(0, -1).flatMap((row, height) => {
    const at = Math.floor(index / 2 ** height)
    return row[at % 2 === 0 ? at + 1 : at - 1] ?? []
  })
