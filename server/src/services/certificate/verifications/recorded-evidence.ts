import type { Mode } from '@millseal/contract'
import {
  certificateSubject,
  type Checkpoint,
  keySubject,
  checkpointIn,
  signerOf,
  type SignedTransaction,
} from '@millseal/proof'
import { remember } from '../../../lib/remember.ts'
import { uuidv7Bound } from '../../../lib/uuid.ts'
import type { LogEvidence } from '../../../ports/ledger/ledger.ts'
import type { KnownIssuer, KnownReview } from '../../km/index.ts'

export type Subjects = {
  /** The DID of the key that signed the certificate; undefined if several did. */
  readonly signer: string | undefined
  /** What the status tree is asked: about the certificate, then about that key. */
  readonly subjects: readonly string[]
}

export const subjectsOf = (certificate: SignedTransaction): Subjects => {
  const signer = signerOf(certificate)
  return {
    signer,
    subjects: [certificateSubject(certificate.id), ...(signer === undefined ? [] : [keySubject(signer)])],
  }
}

export type Entry = LogEvidence['entries'][number]

/** The corrections that the statuses list; undefined if the log does not say. */
export const correctionsIn = (
  { entries, statuses }: LogEvidence,
  { subjects, checkpoint }: { readonly subjects: readonly string[]; readonly checkpoint: Checkpoint },
): readonly Entry[] | undefined => {
  if (checkpoint.status === undefined) return undefined
  const listed = new Set(
    statuses.flatMap((status) => (subjects.includes(status.subject) ? status.entries : [])),
  )
  const byIndex = new Map(entries.map((entry) => [entry.index, entry]))
  return [...listed].toSorted((a, b) => a - b).flatMap((index) => byIndex.get(index) ?? [])
}

const parsed = new Map<string, Checkpoint>()

/** A checkpoint ends with an empty line, then come its signatures. Many answers have the same one. */
export const checkpointOf = ({ checkpoint: note }: LogEvidence): Checkpoint => {
  const known = parsed.get(note)
  if (known !== undefined) return known
  const value = checkpointIn(note)
  remember(parsed, { key: note, value, atMost: 16 })
  return value
}

export type IssuerRecords = {
  readonly identity: SignedTransaction | undefined
  readonly review: SignedTransaction | undefined
}

/** The review that was the newest of this log when the certificate was recorded, or the first one after. */
export const reviewAt = (
  { reviews }: KnownIssuer,
  { origin, time }: { readonly origin: string | undefined; readonly time: Date },
): KnownReview | undefined => {
  const ofLog = reviews.filter(({ log }) => log === origin)
  const newest = ofLog.find(({ recordedAt }) => recordedAt <= time) ?? ofLog.at(-1)
  if (newest === undefined || !isEndedAt(newest, time)) return newest
  // The next one may have been decided, but was not in the log yet.
  const decidedBefore = uuidv7Bound(time.getTime() + 1)
  return ofLog.find((one) => one.reviewId < decidedBefore && !isEndedAt(one, time)) ?? newest
}

/** Whether a certificate of this time was recorded when the review had ended. */
export const isEndedAt = ({ end }: KnownReview, time: Date): boolean => end !== undefined && end.since <= time

/** The publication of the key, and its review on this log, unless it had ended. */
export const findIssuerRecords = async (
  find: (by: {
    readonly mode: Mode
    readonly transactionId: string
  }) => Promise<SignedTransaction | undefined>,
  {
    mode,
    issuer,
    origin,
    time,
  }: {
    readonly mode: Mode
    readonly issuer: KnownIssuer | undefined
    readonly origin: string | undefined
    readonly time: Date
  },
): Promise<IssuerRecords> => {
  const recorded = issuer && reviewAt(issuer, { origin, time })
  const byId = async (transactionId: string | undefined): Promise<SignedTransaction | undefined> =>
    transactionId === undefined ? undefined : find({ mode, transactionId })
  const [identity, review] = await Promise.all([
    byId(recorded?.publicationId ?? issuer?.publicationId),
    byId(recorded === undefined || isEndedAt(recorded, time) ? undefined : recorded.transactionId),
  ])
  return { identity, review }
}
