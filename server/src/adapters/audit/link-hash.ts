import { createHash } from 'node:crypto'

/** The chain before its first entry. */
export const noHash: Uint8Array = new Uint8Array(32)

export type HashedLink = {
  readonly position: number
  readonly chainedAt: Date
  readonly entryHash: Uint8Array
}

/** The hash of a row of the chain. docs/audit.md describes it. */
export const linkHash = (previous: Uint8Array, { position, chainedAt, entryHash }: HashedLink): Buffer =>
  createHash('sha256')
    .update(previous)
    .update(entryHash)
    .update(`${position} ${chainedAt.toISOString()}`)
    .digest()

export const hex = (hash: Uint8Array): string => Buffer.from(hash).toString('hex')
