import {
  confirmationIn,
  type CountedCorrection,
  type Facts,
  isChanged,
  plainLine,
  type Report,
  type Tone,
  tones,
} from '@millseal/proof/verifier'
import type { Texts } from './texts/texts.ts'

export type Headline = { readonly tone: Tone; readonly says: string; readonly why: string }

/** Written in the language and time zone of the reader. */
export const timeIn = ({ locale }: Texts, time: string | undefined): string | undefined =>
  time === undefined
    ? undefined
    : new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short' }).format(new Date(time))

/** As of when the status holds, and how long ago that was. */
export const asOfIn = (texts: Texts, { asOf, statusAgeDays = 0, isStatusOld }: Facts): string => {
  const { asOf: fresh, old } = texts.rows.status
  const age = new Intl.RelativeTimeFormat(texts.locale, { numeric: 'auto' }).format(-statusAgeDays, 'day')
  const time = timeIn(texts, asOf)
  return (isStatusOld ? old : fresh)(time === undefined ? '?' : `${time} (${age})`)
}

/** Notes of the service, in the language of the reader. */
export const saidIn = (
  { locale }: Texts,
  notes: readonly { readonly en: string; readonly de: string }[] = [],
): readonly string[] => notes.map((note) => note[locale === 'de-DE' ? 'de' : 'en'])

export const correctionIn = (
  texts: Texts,
  correction: Pick<CountedCorrection, 'kind' | 'by' | 'reason'> & {
    readonly time?: string | undefined
    readonly replacedBy?: string | undefined
    readonly since?: string | undefined
  },
): string => {
  const inWords = (time: string | undefined): string => timeIn(texts, time) ?? '?'
  return texts.correction({
    ...correction,
    time: inWords(correction.time),
    since: inWords(correction.since),
  })
}

/** Says TEST before any other verdict about a test certificate, too. */
export const headlineOf = (texts: Texts, report: Report): Headline => {
  const { verdict, facts } = report
  const says = isChanged(report) ? texts.changed.says : wordsOf(texts, report)
  const itself = facts?.issuer.review?.isOwn === true ? ` ${texts.why.itself}` : ''
  return {
    tone: tones[verdict],
    says: facts?.mode === 'test' && verdict !== 'test' ? `${texts.says.test.toUpperCase()}. ${says}` : says,
    why: plainLine(whyOf(texts, report) + itself, 1_000),
  }
}

const wordsOf = (texts: Texts, { verdict }: Report): string =>
  (verdict === 'replaced' ? texts.rows.status.kinds.replaced : texts.says[verdict]).toUpperCase()

const whyOf = (texts: Texts, { verdict, facts, checks }: Report): string => {
  const { rows, why } = texts
  if (verdict === 'altered')
    return checks.some(({ name, outcome }) => name === 'file' && outcome === 'failed') ? why.file : why.proof
  if (verdict === 'unchecked' || facts === undefined) return why.unchecked
  const { issuer, status, mode } = facts
  if (status.newest !== undefined) return `${correctionIn(texts, status.newest)}.`
  if (mode === 'test') return why.test
  if (verdict === 'refused') return rows.issuer.refused
  if (verdict === 'unknownIssuer') return rows.issuer.nobody
  if (verdict === 'unknownStatus') return rows.status.nobody
  if (verdict === 'unconfirmed') return `${confirmationIn(texts.confirmation, facts.confirmation).why}.`
  return `${why.genuine(`${issuer.name}`)} ${asOfIn(texts, facts)}`
}
