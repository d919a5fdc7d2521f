import { recoveryOf, signerOf } from '../corrections/correction.ts'
import type { JsonValue } from '../json/read.ts'
import type { SignedTransaction } from '../ledger/transaction.ts'
import { verifySigned } from '../ledger/verify-signed.ts'
import { originOf } from '../log/checkpoint.ts'
import { writeLogEntry } from '../log/entry.ts'
import { NoteRefused } from '../log/note.ts'
import { parseTlogProof, type ProvenEntry, verifyTlogProof } from '../log/tlog-proof.ts'
import type { Primitives } from '../primitives.ts'
import { type Bundle, BundleUnreadable, readBundle } from './bundle.ts'
import { checkFile, type FileHash } from './check-file.ts'
import { confirmationOf } from './confirmation.ts'
import { issuerOf } from './issuer.ts'
import type { TrustPolicy } from './policy.ts'
import { assertState, assertTime, attempt, type Proven, provenCorrections, provenEntry } from './proven.ts'
import { modeOf } from './mode.ts'
import { type Check, type CheckName, type Facts, type Report, reportOf } from './report.ts'
import { checkConfirmation, checkIssuer, checkStatus, checkTime } from './sentences.ts'
import { statusOf } from './status.ts'
import { type Reading, statusAgeOf } from './status-age.ts'

type Claim = Reading & {
  readonly file: FileHash
  readonly bundle: JsonValue
  readonly policy: TrustPolicy
}

/** Verifies a file offline, with its bundle and a trust policy. */
export const verifyBundle = (
  { file, bundle: json, policy, ...reading }: Claim,
  primitives: Primitives,
): Report => {
  const bundle = attempt(() => readBundle(json))
  if (bundle instanceof Error) return reportOf([unreadable(bundle)])
  const transaction = attempt(() => verifySigned(bundle.transaction, primitives))
  if (transaction instanceof Error)
    return reportOf([failed('transaction', transaction.message), checkFile(file, undefined)])
  const checks: Check[] = [
    checkFile(file, transaction),
    passed('transaction', `The transaction ${transaction.id} is signed and unchanged`),
  ]
  const place = attempt(() => placeOf({ bundle, transaction, policy }, primitives))
  if (place instanceof Error) return reportOf([...checks, failed('log', place.message)])
  if (place === undefined) return reportOf([...checks, unknownLog(policy)])
  const facts = attempt(() => factsOf({ bundle, transaction, policy, place, reading }, primitives))
  if (facts instanceof BundleUnreadable) return reportOf([...checks, unreadable(facts)])
  if (facts instanceof Error) return reportOf([...checks, failed('log', facts.message)])
  const { index, size, origin } = facts
  return reportOf(
    [
      ...checks,
      passed('log', `Entry ${index} of ${size} in the log ${origin}, signed by the log`),
      checkIssuer(facts.issuer),
      checkTime(facts, transaction),
      checkStatus(facts),
      checkConfirmation(facts.confirmation),
    ],
    facts,
  )
}

type Found = {
  readonly bundle: Bundle
  readonly transaction: SignedTransaction
  readonly policy: TrustPolicy
}

/** Undefined if the policy has no key for the log. Throws `NoteRefused` if the log does not contain the entry. */
const placeOf = ({ bundle, transaction, policy }: Found, primitives: Primitives): ProvenEntry | undefined => {
  const { proof, time, formatVersion } = bundle
  const { checkpoint: note, hasExtra } = parseTlogProof(proof)
  if (hasExtra && formatVersion > 1) throw new NoteRefused('The proof has extra data, which nothing signs')
  const origin = originOf(note)
  if (!policy.logs.some(({ name }) => name === origin)) return undefined
  const entry = writeLogEntry({ transaction, time })
  const proven = verifyTlogProof({ proof, entry, key: policy.logs }, primitives)
  assertTime(time, { checkpoint: proven.checkpoint, what: 'certificate' })
  if (bundle.statePath !== undefined) assertState(proven.checkpoint, bundle.statePath, primitives)
  return proven
}

const factsOf = (
  {
    bundle,
    transaction,
    policy,
    place,
    reading,
  }: Found & { readonly place: ProvenEntry; readonly reading: Reading },
  primitives: Primitives,
): Facts => {
  const { checkpoint, index } = place
  const { origin, size, operator } = checkpoint
  const confirmation = confirmationOf(parseTlogProof(bundle.proof).checkpoint, policy, primitives)
  const prove = (what: 'identity' | 'review'): Proven | undefined => {
    const entry = bundle[what]
    return entry && provenEntry(entry, { checkpoint, what }, primitives)
  }
  const identity = prove('identity')?.transaction
  const review = prove('review')
  const did = signerOf(transaction)
  if (did === undefined && bundle.formatVersion > 1)
    throw new NoteRefused('Signed by several keys: a certificate must have exactly one')
  const corrections =
    did === undefined || bundle.formatVersion === 1
      ? undefined
      : provenCorrections(bundle, { transactionId: transaction.id, issuer: did, checkpoint }, primitives)
  const recovery = identity !== undefined && signerOf(identity) === did ? recoveryOf(identity) : undefined
  return {
    origin,
    mode: modeOf(origin),
    transactionId: transaction.id,
    time: bundle.time,
    index,
    size,
    asOf: checkpoint.time,
    ...statusAgeOf(checkpoint.time, reading, policy.maxStatusAge),
    confirmation,
    isUnconfirmed: confirmation.isDemanded && confirmation.by === 'operator',
    issuer: issuerOf({
      certificate: transaction,
      identity,
      review: review?.transaction,
      recordedAt: review?.time,
      operator,
      policy,
    }),
    status: statusOf({
      transactionId: transaction.id,
      issuer: did,
      time: bundle.time,
      operator,
      recovery,
      corrections,
    }),
  }
}

const passed = (name: CheckName, says: string): Check => ({ name, outcome: 'passed', says })
const failed = (name: CheckName, says: string): Check => ({ name, outcome: 'failed', says })
const unreadable = ({ message }: Error): Check => ({ name: 'bundle', outcome: 'unknown', says: message })

const unknownLog = ({ logs }: TrustPolicy): Check => ({
  name: 'log',
  outcome: 'unknown',
  says:
    logs.length === 0
      ? 'You trust no log yet: add the key of the log to a policy'
      : `Your policy has no key for this log. It has: ${logs.map(({ name }) => name).join(', ')}`,
})
