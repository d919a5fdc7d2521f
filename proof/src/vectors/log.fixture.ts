import { decodeBase58 } from '../encoding/base58.ts'
import { readCorrection, signerOf, subjectOf } from '../corrections/correction.ts'
import { didOf } from '../identity/did-key.ts'
import type { JsonValue } from '../json/read.ts'
import { buildCreate } from '../ledger/build.ts'
import { type Owner, ownerOf, signWholly } from '../ledger/owners.fixture.ts'
import type { SignedTransaction } from '../ledger/transaction.ts'
import { signCheckpoint, type TreeHead } from '../log/checkpoint.ts'
import { writeLogEntry } from '../log/entry.ts'
import { emptyTree, growTree, rootOf } from '../log/growing-tree.ts'
import { proveInclusion } from '../log/inclusion.ts'
import { type Hash, leafHash, nodeHash } from '../log/merkle-hash.ts'
import { formatNoteKey, noteKey } from '../log/note.ts'
import { type LogStatement, writeStateLeaf } from '../log/state-leaf.ts'
import { portablePrimitives as primitives } from '../primitives.ts'
import { certificateSubject, keySubject } from '../status/subject.ts'
import { createStatusTree } from '../status/status-tree.ts'
import { type BundledRecord, writeBundle, writeBundle3 } from '../verification/write-bundle.ts'

export const didOfOwner = ({ publicKey }: Owner): string => didOf(decodeBase58(publicKey))

const signed = new Map<string, SignedTransaction>()

/** Signs a record, but the same one only once: signatures in portable code take milliseconds. */
export const record = (
  owner: Owner,
  asset: Readonly<Record<string, string>>,
  metadata: Readonly<Record<string, string>> | null = null,
): SignedTransaction => {
  const key = JSON.stringify([owner.publicKey, asset, metadata])
  const made = signed.get(key) ?? signRecord(owner, asset, metadata)
  signed.set(key, made)
  return made
}

const signRecord = (
  owner: Owner,
  asset: Readonly<Record<string, string>>,
  metadata: Readonly<Record<string, string>> | null,
): SignedTransaction =>
  signWholly(
    buildCreate(
      {
        asset,
        metadata,
        issuers: [owner.publicKey],
        recipients: [{ publicKeys: [owner.publicKey], amount: '1' }],
      },
      primitives,
    ),
    owner,
  )

type Recorded = {
  /** Undefined for state leaves. */
  readonly transaction: SignedTransaction | undefined
  readonly time: string | undefined
  readonly bytes: Uint8Array
}

/** What the bundle of one certificate names besides it. */
export type Named = {
  readonly identity?: SignedTransaction
  readonly review?: SignedTransaction
  /** Default: all corrections that the log has. */
  readonly corrections?: readonly SignedTransaction[]
}

/** A log in memory, with keys from fixed seeds. It records whatever it is given, `recorded` in place of what its status tree lists: a dishonest log would, too. */
export const createTestLog = (origin: string, { hasStatus = true } = {}) => {
  const logOwner = ownerOf(201)
  const operator = ownerOf(202)
  const key = noteKey(origin, decodeBase58(logOwner.publicKey), primitives)
  const records: Recorded[] = []
  const status = createStatusTree(primitives)
  const leaves = (): Hash[] => records.map(({ bytes }) => leafHash(bytes, primitives))
  const signedHead = (asOf?: string): Promise<string> => {
    const { size, root } = headOf(leaves())
    const more = hasStatus ? { time: asOf, operator: didOfOwner(operator), status: status.head } : {}
    return signCheckpoint({ origin, size, root, ...more }, { key, sign: logOwner.sign })
  }
  const placed = async (transaction: SignedTransaction): Promise<BundledRecord> => {
    const index = records.findIndex((one) => one.transaction?.id === transaction.id)
    return { transaction, time: records[index]?.time, index, path: await pathIn(leaves(), index) }
  }
  return {
    operator,
    vkey: formatNoteKey(key),
    leaves,
    signedHead,
    add(transaction: SignedTransaction, time?: string, subject?: string, recorded = transaction) {
      const correction = readCorrection(transaction)
      if (correction !== undefined) status.add(subject ?? subjectOf(correction), records.length)
      records.push({ transaction: recorded, time, bytes: writeLogEntry({ transaction: recorded, time }) })
      return transaction
    },
    addState(time: string, says: Partial<LogStatement> = {}) {
      const bytes = writeStateLeaf({ time, operator: didOfOwner(operator), status: status.head, ...says })
      records.push({ transaction: undefined, time, bytes })
    },
    async bundle(
      certificate: SignedTransaction,
      { identity, review, corrections }: Named = {},
      asOf?: string,
      format: 2 | 3 = 2,
    ) {
      const checkpoint = await signedHead(asOf)
      const subjects = hasStatus
        ? [certificateSubject(certificate.id), keySubject(signerOf(certificate) ?? '')]
        : []
      const proofs = subjects.map((subject) => status.prove(subject))
      const listed = proofs.flatMap((proof, at) => (proof.subject === subjects[at] ? proof.entries : []))
      const wanted = corrections ?? transactionsAt(records, listed)
      const proof = {
        checkpoint,
        certificate: await placed(certificate),
        identity: identity && (await placed(identity)),
        review: review && (await placed(review)),
        status: proofs,
        corrections: await Promise.all(wanted.map(placed)),
      }
      const statePath = await pathIn(leaves(), records.length - 1)
      const bundle = format === 2 ? writeBundle(proof) : writeBundle3({ ...proof, statePath, stamps: [] })
      return JSON.parse(JSON.stringify(bundle)) as { [key: string]: JsonValue }
    },
  }
}

const transactionsAt = (records: readonly Recorded[], indices: readonly number[]): SignedTransaction[] =>
  records.flatMap(({ transaction }, index) =>
    transaction !== undefined && indices.includes(index) ? transaction : [],
  )

const pathIn = (leaves: readonly Hash[], index: number): Promise<Hash[]> =>
  proveInclusion(
    { index, size: leaves.length },
    { hashing: primitives, read: async (places) => places.map((place) => subtreeRoot(leaves, place)) },
  )

const headOf = (leaves: readonly Hash[]): TreeHead => ({
  size: leaves.length,
  root: rootOf(growTree(emptyTree, leaves, primitives).tree, primitives),
})

const subtreeRoot = (
  leaves: readonly Hash[],
  { level, index }: { readonly level: number; readonly index: number },
): Hash => {
  if (level === 0) return leaves[index] ?? new Uint8Array()
  const [left, right] = [0, 1].map((side) =>
    subtreeRoot(leaves, { level: level - 1, index: 2 * index + side }),
  )
  return nodeHash(left ?? new Uint8Array(), right ?? new Uint8Array(), primitives)
}
