import {
  type CorrectedBy,
  correctedBy,
  type Correction,
  readCorrection,
  signerOf,
} from '../corrections/correction.ts'
import type { SignedTransaction } from '../ledger/transaction.ts'
import type { Answer } from './verdict.ts'

/** A correction that counts for one certificate. */
export type CountedCorrection = {
  readonly kind: 'withdrawn' | 'replaced' | 'revoked'
  readonly by: CorrectedBy
  /** When the log recorded it. */
  readonly time: string
  readonly reason: string
  /** The transaction of the correction. */
  readonly transactionId: string
  /** For `replaced`: the transaction of the new certificate. */
  readonly replacedBy?: string
  /** For `revoked`: the time from which the key is not trusted. */
  readonly since?: string
}

export type Status = {
  readonly answer: Answer
  /** The one that decides, if any. */
  readonly newest: CountedCorrection | undefined
  /** All, in the order in which they were recorded. */
  readonly corrections: readonly CountedCorrection[]
}

export type StatusClaim = {
  /** The transaction of the certificate. */
  readonly transactionId: string
  /** The key that signed the certificate. */
  readonly issuer: string | undefined
  /** When the log recorded the certificate. */
  readonly time: string | undefined
  readonly operator: string | undefined
  /** The DID that the identity of the issuer named for this. */
  readonly recovery: string | undefined
  /** All that the log has about the certificate and about the key, in order. Undefined if the log does not say. */
  readonly corrections: readonly RecordedCorrection[] | undefined
}

export type RecordedCorrection = {
  readonly transaction: SignedTransaction
  readonly time: string | undefined
}

/** Whether a certificate is still valid. All transactions must be verified and recorded. */
export const statusOf = (claim: StatusClaim): Status => {
  const { time, corrections } = claim
  if (corrections === undefined) return { answer: 'unknown', newest: undefined, corrections: [] }
  const signed = corrections.map((recorded) => signedCorrection(recorded, claim))
  const allowed = signed.filter((one) => one !== undefined)
  const revocations = revocationsIn(allowed)
  const counted = allowed
    .filter((one) => {
      const { correction } = one
      return correction.action === 'revoke-key'
        ? revocations.includes(one) && (time === undefined || correction.since <= time)
        : !isStolen(one, revocations)
    })
    .map(countedOf)
  const newest =
    counted.findLast(({ kind }) => kind === 'revoked') ??
    counted.findLast(({ kind }) => kind === 'withdrawn') ??
    counted.at(-1)
  if (newest !== undefined) return { answer: 'no', newest, corrections: counted }
  const isClear = allowed.length === signed.length
  return { answer: isClear ? 'yes' : 'unknown', newest, corrections: counted }
}

type Signed = {
  readonly correction: Correction
  readonly by: CorrectedBy
  readonly time: string
  readonly transactionId: string
}

/** The `revoke-key` that count. Otherwise a thief could date a revocation back with the stolen key. */
const revocationsIn = (allowed: readonly Signed[]): readonly Signed[] => {
  const counting: Signed[] = []
  for (const one of allowed)
    if (one.correction.action === 'revoke-key' && !isStolen(one, counting)) counting.push(one)
  return counting
}

/** Whether the key of the certificate signed it after the key was revoked. */
const isStolen = ({ by, time }: Signed, revocations: readonly Signed[]): boolean =>
  by === 'issuer' &&
  revocations.some(({ correction }) => correction.action === 'revoke-key' && correction.since <= time)

/** Undefined if it is none that a log may list here. */
const signedCorrection = (
  { transaction, time }: RecordedCorrection,
  { transactionId, issuer, operator, recovery }: StatusClaim,
): Signed | undefined => {
  const correction = readCorrection(transaction)
  if (correction === undefined || time === undefined) return undefined
  const isAboutIt =
    correction.action === 'revoke-key'
      ? correction.did === issuer
      : correction.transactionId === transactionId
  const by = correctedBy(correction, { signer: signerOf(transaction), issuer, operator, recovery })
  return isAboutIt && by !== undefined ? { correction, by, time, transactionId: transaction.id } : undefined
}

const countedOf = ({ correction, by, time, transactionId }: Signed): CountedCorrection => {
  const shared = { by, time, reason: correction.reason, transactionId }
  if (correction.action === 'withdraw') return { kind: 'withdrawn', ...shared }
  if (correction.action === 'replace')
    return { kind: 'replaced', ...shared, replacedBy: correction.replacedBy }
  return { kind: 'revoked', ...shared, since: correction.since }
}
