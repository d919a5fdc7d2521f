import type { Mode } from '@millseal/contract'
import { because, type Reason, reasonTemplates } from '@millseal/contract/reasons'
import type { AppliedSeal } from '../../../ports/seals/seals.ts'
import type { KnownReview, LedgerRecord } from '../../km/index.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { minuteOf, notesOnOthers } from './find-entry.ts'
import { findNotarized } from './notarizations.store.ts'
import { type GivenReason, inWords } from '@millseal/contract/reason-words'
import { mixesAlphabets, plainLine } from '@millseal/proof'
import { isEndedAt } from './recorded-evidence.ts'
import { recordedHashes } from './recorded-hashes.ts'

/** What a reader should know of an entry beside what its proof says. Only this service knows it. */
export const notesOn = async (
  deps: CertificateDependencies,
  {
    mode,
    record,
    others,
    review,
    name,
  }: {
    readonly mode: Mode
    readonly record: LedgerRecord
    readonly others: readonly LedgerRecord[]
    /** That of its issuer when it was recorded. */
    readonly review: KnownReview | undefined
    /** That of the company of its issuer, if it is known. */
    readonly name: string | undefined
  },
): Promise<readonly Reason[]> => {
  const { transactionId } = record
  const entry = { mode, transactionId, ...recordedHashes(record) }
  const [notarized, named] = await Promise.all([
    findNotarized(deps.database.query, entry),
    notesOnOthers(deps, { mode, others }),
  ])
  const unchecked = notarized === undefined ? [because('not_checked_here')] : []
  const mixed =
    review === undefined || name === undefined || !mixesAlphabets(name)
      ? []
      : [because('name_of_several_alphabets', { name: plainLine(name, longestName) })]
  const sealed = notarized?.seal ? [sealNote(notarized.seal, review !== undefined)] : []
  return [...unchecked, ...endOf(review, record.timestamp), ...mixed, ...named, ...sealed]
}

/** The hash is public, so what it leads to must be: names of companies are, once they are reviewed. */
const sealNote = (stored: string, isReviewed: boolean): Reason => {
  if (!isReviewed) return because('sealed_by_somebody')
  const { signer, issuer, level, sealedAt } = JSON.parse(stored) as AppliedSeal
  return because('sealed_by', { signer, issuer, level, time: minuteOf(new Date(sealedAt)) })
}

/** One line of words in each language. */
export const saidOf = (note: GivenReason) => ({ en: lineOf(note, 'en'), de: lineOf(note, 'de') })

const longestNote = 700
const longestName = 120
const lineOf = (note: GivenReason, language: 'en' | 'de'): string =>
  `${plainLine(inWords(note, reasonTemplates[language]) ?? note.code, longestNote)}.`

const endOf = (review: KnownReview | undefined, time: Date): readonly Reason[] => {
  if (review?.end === undefined) return []
  const { reviewedAt, since, endedAt, reason } = review.end
  const values = { to: minuteOf(since), at: minuteOf(endedAt), reason: reason.trim().replace(/\.$/, '') }
  return isEndedAt(review, time)
    ? [because('recorded_after_review', values)]
    : [because('review_taken_back', { from: minuteOf(reviewedAt), ...values })]
}
