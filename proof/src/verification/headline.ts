import { plainLine } from './plain-line.ts'
import type { Check, Facts, Report } from './report.ts'
import { confirmationSentence, correctionSentence } from './sentences.ts'
import type { Verdict } from './verdict.ts'

/** Green only for `good`. `none`: the question has no answer. */
export type Tone = 'good' | 'caution' | 'bad' | 'none'

/** A verdict for a person at goods receipt. */
export type Headline = {
  readonly tone: Tone
  readonly says: string
  /** One sentence. */
  readonly why: string
}

export const tones: Readonly<Record<Verdict, Tone>> = {
  genuine: 'good',
  unknownIssuer: 'caution',
  unknownStatus: 'caution',
  unconfirmed: 'caution',
  oldStatus: 'caution',
  test: 'caution',
  refused: 'caution',
  replaced: 'bad',
  withdrawn: 'bad',
  revoked: 'bad',
  altered: 'bad',
  unchecked: 'none',
  notFound: 'none',
}

/** Shown in capital letters, by the page for printed codes, too. */
export const verdictWords: Readonly<Record<Exclude<Verdict, 'replaced'>, string>> = {
  genuine: 'Genuine',
  unknownIssuer: 'Unchanged, but the issuer is unknown',
  unknownStatus: 'Unchanged, but nobody says if it is still valid',
  unconfirmed: 'Unchanged, but only the operator says so',
  oldStatus: 'Unchanged, but its status is old',
  test: 'Test – no real material',
  refused: 'Unchanged, but not from an issuer you accept',
  withdrawn: 'Withdrawn',
  revoked: 'Signed with a revoked key',
  altered: 'Altered or forged',
  unchecked: 'Could not be checked',
  notFound: 'Not found',
}

/** True if the bundle proves the notarized original, and this file is not it. The facts are then about the original. */
export const isChanged = ({ checks, facts }: Report): boolean =>
  facts !== undefined && checks.find(({ outcome }) => outcome === 'failed')?.name === 'file'

/** Says TEST before every other verdict about a test certificate, too. */
export const headlineOf = (report: Report): Headline => {
  const { verdict, checks, facts } = report
  const says = isChanged(report) ? changedWords : wordsOf(verdict)
  const isMarked = facts?.mode === 'test' && verdict !== 'test'
  return {
    tone: tones[verdict],
    says: isMarked ? `${verdictWords.test.toUpperCase()}. ${says}` : says,
    why: `${plainLine(isChanged(report) ? whyChanged(report) : whyOf(verdict, checks, facts), 1_000)}.`,
  }
}

const changedWords = 'Changed. Do not accept.'

const wordsOf = (verdict: Verdict): string =>
  verdict === 'replaced' ? 'REPLACED by another certificate' : verdictWords[verdict].toUpperCase()

const whyChanged = ({ facts }: Report): string => {
  const { answer, name } = facts?.issuer ?? {}
  const original = answer === 'yes' ? `${name} notarized the original` : 'The original was notarized'
  return `${original}, but not this file: ask the sender for the original file`
}

const whyOf = (verdict: Verdict, checks: readonly Check[], facts: Facts | undefined): string => {
  if (verdict === 'notFound')
    return 'Nothing is recorded for this file: it was changed, or never notarized here'
  if (verdict === 'altered') return firstOf(checks, 'failed')
  if (verdict === 'unchecked' || facts === undefined) return firstOf(checks, 'unknown')
  const { issuer, status } = facts
  if (status.newest !== undefined) return correctionSentence(status.newest)
  const unchanged = `This file is unchanged since ${issuer.name} notarized it`
  const itself = issuer.review?.isOwn === true ? `. ${ownReviewSentence}` : ''
  return `${answerOf(verdict, facts, unchanged)}${itself}`
}

/** Not among the checks, because the page has no bytes to say it twice. */
export const ownReviewSentence = 'The operator of this service is the issuer itself: no one else reviewed it'

const answerOf = (
  verdict: Verdict,
  { issuer, time, asOf, confirmation }: Facts,
  unchanged: string,
): string => {
  switch (verdict) {
    case 'test':
      return issuer.answer === 'yes'
        ? `${unchanged} in test mode: it does not describe real material`
        : 'This file is unchanged, but nobody you trust says who signed it, and it was notarized in test mode: it does not describe real material'
    case 'refused':
      return issuer.did === undefined
        ? 'This file is unchanged, but several keys signed it'
        : 'This file is unchanged, but the key that signed it is not in your policy'
    case 'unknownIssuer':
      return 'This file is unchanged since it was notarized, but nobody you trust says who signed it'
    case 'unknownStatus':
      return `${unchanged}, but the log does not say whether it was withdrawn or replaced`
    case 'unconfirmed':
      return `${unchanged}, but only the operator of the log says so: those whom your policy demands have not signed`
    case 'oldStatus':
      return `${unchanged}. Status of ${shortTime(asOf)}: ask again whether it was withdrawn or replaced since`
    default: {
      const on = time === undefined ? '' : ` on ${shortTime(time)}`
      const valid = `${unchanged}${on}. It was not withdrawn or replaced as of ${shortTime(asOf)}`
      return confirmation.by === 'operator' ? valid : `${valid}. ${confirmationSentence(confirmation)}`
    }
  }
}

const firstOf = (checks: readonly Check[], wanted: Check['outcome']): string =>
  checks.find(({ outcome }) => outcome === wanted)?.says ?? 'The verifier found no reason'

/** `2026-11-22 05:10 UTC` */
const shortTime = (time: string | undefined): string =>
  time === undefined ? 'an unknown time' : `${time.slice(0, 10)} ${time.slice(11, 16)} UTC`
