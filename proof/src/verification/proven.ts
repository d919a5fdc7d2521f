import { signerOf } from '../corrections/correction.ts'
import { InvalidTransaction, type SignedTransaction } from '../ledger/transaction.ts'
import { verifySigned } from '../ledger/verify-signed.ts'
import type { Checkpoint } from '../log/checkpoint.ts'
import { writeLogEntry } from '../log/entry.ts'
import { verifyInclusion } from '../log/inclusion.ts'
import { type Hash, leafHash } from '../log/merkle-hash.ts'
import { NoteRefused } from '../log/note.ts'
import { writeStateLeaf } from '../log/state-leaf.ts'
import type { Primitives } from '../primitives.ts'
import { verifyStatus } from '../status/status-leaf.ts'
import { certificateSubject, keySubject } from '../status/subject.ts'
import { type Bundle, type BundledEntry, BundleUnreadable } from './bundle.ts'

export type Proven = {
  readonly transaction: SignedTransaction
  readonly time: string | undefined
  readonly index: number
}

/** Throws `NoteRefused` or `InvalidTransaction` if the entry is not in the log of the checkpoint. */
export const provenEntry = (
  { transaction, time, index, path }: BundledEntry,
  { checkpoint, what }: { readonly checkpoint: Checkpoint; readonly what: string },
  primitives: Primitives,
): Proven => {
  const verified = verifySigned(transaction, primitives)
  if (verified.operation !== 'CREATE' || signerOf(verified) === undefined)
    throw new NoteRefused(`The ${what} is not a CREATE with a single signer`)
  assertTime(time, { checkpoint, what })
  const leaf = leafHash(writeLogEntry({ transaction: verified, time }), primitives)
  if (!verifyInclusion({ ...checkpoint, index, path, leaf }, primitives))
    throw new NoteRefused(`The ${what} is not in the log: its path does not lead to the checkpoint`)
  return { transaction: verified, time, index }
}

export const assertTime = (
  time: string | undefined,
  { checkpoint, what }: { readonly checkpoint: Checkpoint; readonly what: string },
): void => {
  if (time === undefined) return
  if (checkpoint.time === undefined || time > checkpoint.time)
    throw new NoteRefused(`The ${what} is later than the checkpoint`)
}

/** That the tree itself says the time, operator and status of the checkpoint. */
export const assertState = (
  { size, root, time, operator, status }: Checkpoint,
  path: readonly Hash[],
  primitives: Primitives,
): void => {
  const leaf =
    time === undefined || operator === undefined || status === undefined
      ? undefined
      : leafHash(writeStateLeaf({ time, operator, status }), primitives)
  if (leaf === undefined || !verifyInclusion({ index: size - 1, size, root, leaf, path }, primitives))
    throw new NoteRefused('The state leaf is not that of the checkpoint')
}

/** All corrections of the certificate and of the key, or undefined if the log does not tell. Throws `BundleUnreadable` if some are missing. */
export const provenCorrections = (
  { status, corrections }: Bundle,
  {
    transactionId,
    issuer,
    checkpoint,
  }: {
    readonly transactionId: string
    readonly issuer: string
    readonly checkpoint: Checkpoint
  },
  primitives: Primitives,
): readonly Proven[] | undefined => {
  const head = checkpoint.status
  const subjects = head === undefined ? [] : [certificateSubject(transactionId), keySubject(issuer)]
  if (status.length !== subjects.length)
    throw new BundleUnreadable(`status must have ${subjects.length} leaves, as the checkpoint demands`)
  if (head === undefined) {
    if (corrections.length > 0) throw new BundleUnreadable('corrections must be empty without a status tree')
    return undefined
  }
  const listed = subjects.flatMap((subject, at) => {
    const proof = status[at]
    const entries = proof && verifyStatus({ proof, subject, head }, primitives)
    if (entries === undefined)
      throw new NoteRefused(`status/${at} does not prove the status of the ${subject}`)
    return entries
  })
  const wanted = [...new Set(listed)].toSorted((a, b) => a - b)
  const given = corrections.map(({ index }) => index)
  if (wanted.join() !== given.join())
    throw new BundleUnreadable(`corrections must be the entries ${wanted.join(', ') || '(none)'}`)
  return corrections.map((entry) =>
    provenEntry(entry, { checkpoint, what: `correction ${entry.index}` }, primitives),
  )
}

export const attempt = <T>(work: () => T): T | NoteRefused | InvalidTransaction | BundleUnreadable => {
  try {
    return work()
  } catch (error) {
    if (
      error instanceof NoteRefused ||
      error instanceof InvalidTransaction ||
      error instanceof BundleUnreadable
    )
      return error
    throw error
  }
}
