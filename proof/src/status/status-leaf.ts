import { utf8 } from '../encoding/bytes.ts'
import type { TreeHead } from '../log/checkpoint.ts'
import { verifyInclusion } from '../log/inclusion.ts'
import { type Hash, leafHash } from '../log/merkle-hash.ts'
import type { Hashing } from '../primitives.ts'
import { isSubject } from './subject.ts'

/** Says which entries correct the subject, and that no subject between it and the next has corrections. */
export type StatusLeaf = {
  /** Empty in the first leaf. */
  readonly subject: string
  /** Empty in the leaf of the last subject. */
  readonly next: string
  readonly entries: readonly number[]
}

export type StatusProof = StatusLeaf & { readonly index: number; readonly path: readonly Hash[] }

export const statusLeafHash = ({ subject, next, entries }: StatusLeaf, hashing: Hashing): Hash =>
  leafHash(utf8(`${subject}\n${next}\n${entries.join(' ')}`), hashing)

/** The entries that correct the subject. Undefined if the proof is not about it, or not of this tree. */
export const verifyStatus = (
  {
    proof,
    subject,
    head,
  }: { readonly proof: StatusProof; readonly subject: string; readonly head: TreeHead },
  hashing: Hashing,
): readonly number[] | undefined => {
  const { index, path, ...leaf } = proof
  const isProven =
    isLeaf(proof) && verifyInclusion({ ...head, index, path, leaf: statusLeafHash(leaf, hashing) }, hashing)
  if (!isProven) return undefined
  if (leaf.subject === subject) return leaf.entries
  return leaf.subject < subject && (leaf.next === '' || subject < leaf.next) ? [] : undefined
}

const isLeaf = ({ subject, next, entries, index }: StatusProof): boolean =>
  [subject, next].every((text) => text === '' || isSubject(text)) &&
  (next === '' || subject < next) &&
  [index, entries.length].every((count) => (count === 0) === (subject === '')) &&
  entries.every((entry, at) => Number.isSafeInteger(entry) && entry >= 0 && entry > (entries[at - 1] ?? -1))
