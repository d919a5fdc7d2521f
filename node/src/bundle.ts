import {
  type BundledRecord,
  certificateSubject,
  keySubject,
  proveInclusion,
  readNodesFromTiles,
  signerOf,
  isStateLeaf,
  writeBundle,
  writeBundle3,
} from '@millseal/proof'
import { nodePrimitives } from '@millseal/proof/node'
import { certificateHash, readVerifiedEntry } from '@millseal/replay'
import type { Copy } from './copy.ts'
import type { Served } from './log-memory.ts'

/** The proof bundle of the first certificate with this hash of its JSON or PDF (docs/bundle.md). Undefined if there is none. */
export const proofOf = async (
  hash: string,
  { copy, published, format }: { readonly copy: Copy; readonly published: Served; readonly format: 2 | 3 },
): Promise<object | undefined> => {
  const { size } = published
  const read = readNodesFromTiles({ size, readTile: copy.tiles.readTile })
  const recordAt = async (index: number): Promise<BundledRecord> => {
    const { transaction, time } = readVerifiedEntry(await copy.tiles.readEntry(index), nodePrimitives)
    const path = await proveInclusion({ index, size }, { read, hashing: nodePrimitives })
    return { transaction, time, index, path }
  }
  const certificate = await findCertificate(hash, { copy, recordAt })
  if (certificate === undefined) return undefined
  const signer = signerOf(certificate.transaction)
  const subjects = [certificateSubject(certificate.transaction.id), ...(signer ? [keySubject(signer)] : [])]
  const statuses = subjects.map((subject) => copy.proveStatus(subject))
  const corrected = statuses.flatMap(({ subject, entries }, at) => (subject === subjects[at] ? entries : []))
  const hasStatus = published.status !== undefined
  const { identity, review } = copy.issuers.recordsOf(signer ?? '', { time: certificate.time ?? '', size })
  const corrections = [...new Set(hasStatus ? corrected : [])].toSorted((a, b) => a - b)
  const proof = {
    checkpoint: published.served,
    certificate,
    identity: identity === undefined ? undefined : await recordAt(identity),
    review: review === undefined ? undefined : await recordAt(review),
    status: hasStatus ? statuses : [],
    corrections: await Promise.all(corrections.map(recordAt)),
  }
  if (format === 2) return writeBundle(proof)
  const last = { index: size - 1, size }
  const isStated = isStateLeaf(await copy.tiles.readEntry(last.index))
  const statePath = isStated ? await proveInclusion(last, { read, hashing: nodePrimitives }) : undefined
  return writeBundle3({ ...proof, statePath, stamps: [] })
}

const findCertificate = async (
  hash: string,
  { copy, recordAt }: { readonly copy: Copy; readonly recordAt: (index: number) => Promise<BundledRecord> },
): Promise<BundledRecord | undefined> => {
  for (const index of await copy.candidatesOf(hash)) {
    const record = await recordAt(index)
    const hashes = (['jsonHash', 'pdfHash'] as const).map((name) => certificateHash(record.transaction, name))
    if (hashes.includes(hash)) return record
  }
  return undefined
}
