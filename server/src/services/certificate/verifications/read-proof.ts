import type { Mode, operations, ProofBundle } from '@millseal/contract'
import type { Reason } from '@millseal/contract/reasons'
import { type ProvenStamp, writeBundle, writeBundle3 } from '@millseal/proof'
import type { Call } from '../../../http/binding.ts'
import { deadlineSignal } from '../../../lib/deadline.ts'
import { Problem } from '../../../lib/problem.ts'
import type { LogEvidence } from '../../../ports/ledger/ledger.ts'
import type { KnownIssuer, KnownReview, LedgerRecord } from '../../km/index.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import {
  checkpointOf,
  correctionsIn,
  type Entry,
  isEndedAt,
  reviewAt,
  subjectsOf,
} from './recorded-evidence.ts'
import { findEntry } from './find-entry.ts'
import { notesOn, saidOf } from './notes.ts'
import { recordedHashes } from './recorded-hashes.ts'

/** Everything a third party needs besides the certificate and a trust policy: no body, no name that is not public. */
export const readProof = async (
  deps: CertificateDependencies,
  { params, query, mode, header, signal }: Call<typeof operations.readProof>,
): Promise<ProofBundle> => {
  const wait = query.wait === undefined ? undefined : deadlineSignal(query.wait * 1_000, signal())
  const { bundle, checkpoint, notes } = await proofOf(deps, { ...params, ...query, mode, wait })
  const cosigned = deps.keys.confirmed.count(mode, checkpoint)
  if (cosigned !== undefined) header('millseal-confirmed', `${cosigned.signed}/${cosigned.of}`)
  if (notes.length > 0) {
    header('x-notes', notes.map(({ code }) => code).join(', '))
    header('x-notes-text', textOf(notes))
  }
  return bundle
}

/** Throws `not_found` if no log proves it. */
export const proofOf = async (
  deps: CertificateDependencies,
  {
    hash,
    mode,
    issuer: did,
    format,
    wait,
  }: {
    readonly hash: string
    readonly mode: Mode
    readonly issuer?: string | undefined
    readonly format?: number | undefined
    readonly wait?: AbortSignal | undefined
  },
) => {
  const { keys } = deps
  const found = await findEntry(deps, { mode, hash: hash.toLowerCase(), issuer: did })
  if (found === undefined || recordedHashes(found.record).jsonHash === undefined)
    throw new Problem('not_found')
  const { record } = found
  const { issuerPublicKey: publicKey } = record
  const issuer = publicKey === undefined ? undefined : await keys.findIssuer({ mode, publicKey })
  const proof = await proveWith(keys, { mode, record, issuer, format, wait })
  if (proof === undefined) throw new Problem('not_found')
  const { bundle, checkpoint, review } = proof
  // Not in the bundle: it says what anybody can verify.
  const name = issuer?.identity?.company.name
  return { bundle, checkpoint, notes: await notesOn(deps, { mode, ...found, review, name }) }
}

/** As JSON in ASCII: a header has no other letters. */
const textOf = (notes: readonly Reason[]): string =>
  JSON.stringify(notes.map(saidOf)).replaceAll(
    /[^\x20-\x7e]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

type Named = { readonly identity?: string; readonly review?: string | undefined }
type OfReview = { readonly review: KnownReview | undefined }

/** With a review of the log that has the certificate, unless it had ended; undefined if no log has it. */
const proveWith = async (
  keys: CertificateDependencies['keys'],
  {
    mode,
    record: { transaction, timestamp },
    issuer,
    format,
    wait,
  }: {
    readonly mode: Mode
    readonly record: LedgerRecord
    readonly issuer: KnownIssuer | undefined
    readonly format: number | undefined
    readonly wait: AbortSignal | undefined
  },
): Promise<(OfReview & { readonly bundle: ProofBundle; readonly checkpoint: string }) | undefined> => {
  const { subjects } = subjectsOf(transaction)
  for (const { named, review } of candidatesOf(issuer, timestamp)) {
    const transactionIds = [transaction.id, named.identity ?? [], named.review ?? []].flat()
    const withState = format === 3
    const evidence = await keys.proveRecords({ mode, transactionIds, subjects, withState, wait })
    if (evidence !== undefined) {
      const stamps = withState ? await stampsOf(keys, { mode, evidence, id: transaction.id }) : []
      const bundle = bundleOf(evidence, { id: transaction.id, named, subjects, format, stamps })
      return { bundle, checkpoint: evidence.checkpoint, review }
    }
  }
  return undefined
}

const stampsOf = async (
  keys: CertificateDependencies['keys'],
  { mode, evidence, id }: { readonly mode: Mode; readonly evidence: LogEvidence; readonly id: string },
): Promise<readonly ProvenStamp[]> => {
  const entry = evidence.entries.find(({ transaction }) => transaction.id === id)
  return entry === undefined ? [] : await keys.proveStamps({ mode, index: entry.index })
}

/** A log can lack what was recorded on another one before or after it. */
const candidatesOf = (
  issuer: KnownIssuer | undefined,
  time: Date,
): readonly (OfReview & { readonly named: Named })[] => {
  const logs = [...new Set(issuer?.reviews.map(({ log }) => log))]
  const reviews = logs.flatMap((origin) => (issuer && reviewAt(issuer, { origin, time })) ?? [])
  return [
    ...reviews.map((review) => ({
      named: {
        identity: review.publicationId,
        review: isEndedAt(review, time) ? undefined : review.transactionId,
      },
      review,
    })),
    ...(issuer?.publicationId === undefined
      ? []
      : [{ named: { identity: issuer.publicationId }, review: undefined }]),
    { named: {}, review: undefined },
  ]
}

type Wanted = {
  readonly id: string
  readonly named: Named
  readonly subjects: readonly string[]
  readonly format: number | undefined
  readonly stamps: readonly ProvenStamp[]
}

const bundleOf = (evidence: LogEvidence, { id, named, subjects, format, stamps }: Wanted): ProofBundle => {
  const checkpoint = checkpointOf(evidence)
  const byId = new Map(evidence.entries.map((entry) => [entry.transaction.id, entry]))
  const entryOf = (transactionId: string | undefined): Entry | undefined =>
    transactionId === undefined ? undefined : byId.get(transactionId)
  const certificate = entryOf(id)
  if (certificate === undefined) throw new Error(`The evidence of the log lacks ${id}`)
  const corrections = correctionsIn(evidence, { subjects, checkpoint })
  const proof = {
    checkpoint: evidence.checkpoint,
    certificate,
    identity: entryOf(named.identity),
    review: entryOf(named.review),
    status: corrections === undefined ? [] : evidence.statuses,
    corrections: corrections ?? [],
  }
  const { statePath } = evidence
  const bundle = format === 3 ? writeBundle3({ ...proof, statePath, stamps }) : writeBundle(proof)
  // The contract's type of a transaction is mutable; the content is the same.
  return bundle as unknown as ProofBundle
}
