import type { Mode, Verification } from '@millseal/contract'
import { type Answers, type Issuer, issuerOf, recoveryOf, statusOf, verdictOf } from '@millseal/proof'
import type { LogEvidence } from '../../../ports/ledger/ledger.ts'
import type { KnownIssuer, LedgerRecord } from '../../km/index.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { checkpointOf, correctionsIn, findIssuerRecords, type Subjects } from './recorded-evidence.ts'

type Found = {
  readonly mode: Mode
  readonly record: LedgerRecord
  readonly asked: Subjects
  readonly issuer: KnownIssuer | undefined
  /** Undefined if the certificate is not in a log. */
  readonly evidence: LogEvidence | undefined
}

export type Judgement = Pick<Verification, 'verdict' | 'issuer' | 'corrections' | 'asOf' | 'company'> & {
  readonly answers: Answers
}

/** The server has no policy: an issuer is known by a review of the operator of the log, as in a bundle. */
const policy = { issuers: [], onlyKnownIssuers: false }

type IssuerClaim = Parameters<typeof issuerOf>[0]

/** By the review, which is the same object for a while: see `findTransaction` of km. */
const reviewed = new WeakMap<
  object,
  Pick<IssuerClaim, 'identity' | 'operator'> & {
    readonly signer: string
    readonly issuer: Issuer
  }
>()

/** All certificates of a key have the same issuer, and checking two signers costs more than all else here. */
const issuerFrom = (claim: IssuerClaim, signer: string | undefined): Issuer => {
  const { identity, review, operator } = claim
  if (review === undefined || signer === undefined) return issuerOf(claim)
  const known = reviewed.get(review)
  if (known?.signer === signer && known.identity === identity && known.operator === operator)
    return known.issuer
  const issuer = issuerOf(claim)
  reviewed.set(review, { identity, operator, signer, issuer })
  return issuer
}

/** The verdict on a certificate that is recorded and unchanged, by the rules that offline verification has. */
export const judge = async (
  { keys }: CertificateDependencies,
  { mode, record: { transaction, transactionId, timestamp }, asked, issuer, evidence }: Found,
): Promise<Judgement> => {
  const checkpoint = evidence && checkpointOf(evidence)
  const operator = checkpoint?.operator
  const { identity, review } = await findIssuerRecords(keys.findTransaction, {
    mode,
    issuer,
    origin: checkpoint?.origin,
    time: timestamp,
  })
  const who = issuerFrom({ certificate: transaction, identity, review, operator, policy }, asked.signer)
  const time = evidence?.entries.find((entry) => entry.transaction.id === transactionId)?.time
  const status = statusOf({
    transactionId,
    issuer: who.did,
    time,
    operator,
    recovery: identity && recoveryOf(identity),
    corrections: evidence && checkpoint && correctionsIn(evidence, { ...asked, checkpoint }),
  })
  const answers: Answers = {
    unchanged: 'yes',
    issuer: who.answer,
    time: time === undefined ? 'unknown' : 'yes',
    status: status.answer,
  }
  const present = issuer?.identity?.company.name
  const name = who.name ?? present
  return {
    verdict: verdictOf({ answers, mode, correction: status.newest?.kind }),
    answers,
    issuer:
      who.did === undefined
        ? undefined
        : {
            did: who.did,
            name: who.name,
            vatId: who.vatId,
            reviewedAt: who.review?.reviewedAt,
            evidence: who.review?.evidence,
            currentName: present === who.name ? undefined : present,
          },
    corrections: [...status.corrections],
    asOf: checkpoint?.time,
    company: name === undefined ? undefined : { name },
  }
}
