import type { Hashing } from '../primitives.ts'

export type Hash = Uint8Array

export const hashBytes = 32

/** RFC 6962 §2.1: the prefix distinguishes leaves from nodes. */
export const leafHash = (entry: Uint8Array, { sha256 }: Hashing): Hash => {
  const input = new Uint8Array(1 + entry.length)
  input.set(entry, 1)
  return sha256(input)
}

/** Reused for every node: a proof hashes thousands, and hash functions do not keep their input. */
const nodeInput = new Uint8Array(1 + 2 * hashBytes)
nodeInput[0] = 1

/** RFC 6962 §2.1. */
export const nodeHash = (left: Hash, right: Hash, { sha256 }: Hashing): Hash => {
  nodeInput.set(left, 1)
  nodeInput.set(right, 1 + hashBytes)
  return sha256(nodeInput)
}

/** RFC 6962 §2.1: the root of an empty tree. */
export const emptyRoot = ({ sha256 }: Hashing): Hash => sha256(new Uint8Array())
