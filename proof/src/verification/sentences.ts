import type { SignedTransaction } from '../ledger/transaction.ts'
import type { Confirmation } from './confirmation.ts'
import type { Issuer } from './issuer.ts'
import type { Check, Facts } from './report.ts'
import type { CountedCorrection } from './status.ts'

export const checkIssuer = ({ answer, did, knownBy, name, selfName, vatId, review }: Issuer): Check => {
  const check = (outcome: Check['outcome'], says: string): Check => ({ name: 'issuer', outcome, says })
  if (did === undefined) return check('failed', 'Signed by several keys: a certificate must have exactly one')
  if (knownBy === 'policy' && name !== undefined)
    return check('passed', `Signed by ${name}, whose key you trust (${did})`)
  if (answer === 'no') return check('failed', `Signed by key ${did}, which is not in your policy`)
  if (review === undefined)
    return check(
      'unknown',
      name === undefined
        ? `Signed by key ${did}; nobody says whose key it is`
        : `Signed by key ${did}, which calls itself ${name}; the operator of the log has not confirmed that`,
    )
  const claimed =
    selfName === undefined ? '' : `; its key gave itself another name (${selfName}), which nobody confirms`
  return check(
    'passed',
    `Signed by ${name} (VAT id ${vatId}), reviewed by the operator of the log on ${review.reviewedAt}${claimed}`,
  )
}

/** A log without times says nothing; then the issuer's own word is all there is. */
export const checkTime = (
  { time }: { readonly time: Facts['time'] },
  { metadata }: SignedTransaction,
): Check => {
  if (time !== undefined) return { name: 'time', outcome: 'passed', says: `Recorded by the log on ${time}` }
  const claimed = metadata?.['timestamp']
  return {
    name: 'time',
    outcome: 'unknown',
    says:
      typeof claimed === 'string' && !Number.isNaN(Date.parse(claimed))
        ? `Notarized on ${claimed} according to its issuer; the log confirms no time`
        : 'The time is not known',
  }
}

export const checkStatus = ({
  status,
  asOf,
  isStatusOld,
}: {
  readonly status: Facts['status']
  readonly asOf: Facts['asOf']
  readonly isStatusOld: boolean
}): Check => {
  if (status.newest !== undefined)
    return { name: 'status', outcome: 'failed', says: correctionSentence(status.newest) }
  if (status.answer === 'yes' && isStatusOld)
    return {
      name: 'status',
      outcome: 'unknown',
      says: `Status of ${asOf ?? 'an unknown time'}: ask again`,
    }
  return status.answer === 'yes'
    ? { name: 'status', outcome: 'passed', says: `Not withdrawn or replaced as of ${asOf}` }
    : {
        name: 'status',
        outcome: 'unknown',
        says: 'It is not known whether the certificate was withdrawn or replaced',
      }
}

/** Of the page, too, which has them in other languages. */
export const confirmationWords = {
  nodes: (count: number): string => `Held by ${count} independent node${count === 1 ? '' : 's'}`,
  witnesses: (count: number, of: number): string => `Witnessed by ${count} of ${of}`,
  operator: 'Only the operator says so',
  by: (names: string, before: string): string => `${names}, before ${before}`,
  alone: 'What was withdrawn is said by the operator alone',
  missing: (count: number, of: number): string =>
    `${count} of ${of} others have signed, which is not the quorum of your policy`,
}

/** Who stands for it, and what that means. `before` is in the time zone of the reader. */
export const confirmationIn = (
  words: typeof confirmationWords,
  { by, names, of, isDemanded }: Confirmation,
  before = '',
): { readonly says: string; readonly why: string } => {
  const count = names.length
  const whom = words.by(names.join(', '), before)
  if (by === 'nodes') return { says: words.nodes(count), why: whom }
  if (by === 'witnesses') return { says: words.witnesses(count, of), why: `${whom}. ${words.alone}` }
  return {
    says: words.operator,
    why: isDemanded ? words.missing(count, of) : 'your policy demands no others',
  }
}

export const confirmationSentence = (confirmation: Confirmation): string => {
  const { says, why } = confirmationIn(confirmationWords, confirmation, confirmation.before)
  return `${says}: ${why}`
}

export const checkConfirmation = (confirmation: Confirmation): Check => ({
  name: 'confirmation',
  outcome: confirmation.by === 'operator' ? 'unknown' : 'passed',
  says: confirmationSentence(confirmation),
})

const authors = {
  issuer: 'its issuer',
  operator: 'the operator of the log',
  recovery: 'the recovery key of its issuer',
} as const

export const correctionSentence = ({
  kind,
  by,
  time,
  reason,
  replacedBy,
  since,
}: CountedCorrection): string => {
  const why = `by ${authors[by]} on ${time}: ${reason}`
  if (kind === 'withdrawn') return `Withdrawn ${why}`
  if (kind === 'replaced') return `Replaced by another certificate, ${why} (transaction ${replacedBy})`
  return `The key that signed it is revoked from ${since} on, ${why}`
}
