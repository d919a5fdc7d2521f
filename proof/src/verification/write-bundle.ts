import { encodeBase64 } from '../encoding/base64.ts'
import { concatBytes } from '../encoding/bytes.ts'
import type { JsonValue } from '../json/read.ts'
import type { SignedTransaction } from '../ledger/transaction.ts'
import type { Hash } from '../log/merkle-hash.ts'
import { writeTlogProof } from '../log/tlog-proof.ts'
import { type ProvenStamp, writeStamp } from '../stamps/bundled-stamp.ts'
import type { StatusProof } from '../status/status-leaf.ts'

export type BundledRecord = {
  readonly transaction: SignedTransaction
  readonly time: string | undefined
  readonly index: number
  readonly path: readonly Hash[]
}

/** All paths lead to the one checkpoint. */
export type ProofOfRecord = {
  readonly checkpoint: string
  readonly certificate: BundledRecord
  readonly identity: BundledRecord | undefined
  readonly review: BundledRecord | undefined
  readonly status: readonly StatusProof[]
  readonly corrections: readonly BundledRecord[]
}

/** The bundle of format 3: docs/bundle.md. `statePath`: of the state leaf, if the log has one. */
export const writeBundle3 = ({
  statePath,
  stamps,
  ...proof
}: ProofOfRecord & {
  readonly statePath: readonly Hash[] | undefined
  readonly stamps: readonly ProvenStamp[]
}) => ({
  ...writeBundle(proof),
  formatVersion: 3 as const,
  state: statePath && { path: pathText(statePath) },
  stamps: stamps.map(writeStamp),
  countersignatures: [],
})

/** The bundle of format 2: docs/bundle.md. */
export const writeBundle = ({
  checkpoint,
  certificate,
  identity,
  review,
  status,
  corrections,
}: ProofOfRecord) => ({
  formatVersion: 2 as const,
  entry: entryOf(certificate),
  proof: writeTlogProof({ index: certificate.index, path: certificate.path, checkpoint }),
  ...(identity === undefined ? {} : { identity: placed(identity) }),
  ...(review === undefined ? {} : { review: placed(review) }),
  status: status.map(({ subject, next, entries, index, path }) => ({
    subject,
    next,
    entries: [...entries],
    index,
    path: pathText(path),
  })),
  corrections: corrections.map(placed),
})

const entryOf = ({ transaction, time }: Pick<BundledRecord, 'transaction' | 'time'>) => ({
  // The type of a transaction is read-only; the content is the same.
  transaction: transaction as unknown as { [key: string]: JsonValue },
  ...(time === undefined ? {} : { time }),
})

const placed = ({ index, path, ...entry }: BundledRecord) => ({
  ...entryOf(entry),
  index,
  path: pathText(path),
})

const pathText = (path: readonly Hash[]): string => encodeBase64(concatBytes(...path))
