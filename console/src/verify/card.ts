import {
  type Answer,
  type Check,
  confirmationIn,
  type Facts,
  isChanged,
  type JsonValue,
  plainLine,
  type Report,
} from '@millseal/proof/verifier'
import { factRows, h } from './dom.ts'
import { type Difference, valuesOf } from './differences.ts'
import { asOfIn, correctionIn, type Headline, headlineOf, saidIn, timeIn } from './headline.ts'
import type { Result } from './judge.ts'
import { summaryOf } from './summary.ts'
import type { Texts } from './texts/texts.ts'

export const headlineIn = (texts: Texts, result: Result): Headline => {
  const { outcome, remark, by, notes } = result
  if (outcome.kind === 'another') return { tone: 'bad', ...texts.another }
  if (outcome.kind === 'failed')
    return { tone: 'none', says: texts.says.unchecked.toUpperCase(), why: outcome.say(texts) }
  const { report } = outcome
  const { tone, says, why } = withSource(texts, headlineOf(texts, report), by)
  const { verdict, checks } = report
  if (verdict === 'notFound') return { tone, says, why: `${texts.unknownFile} ${texts.askForOriginal}` }
  if (isChanged(report)) return { tone, says, why: whyChanged(texts, result) }
  if (verdict === 'unchecked' && checks.length === 0) return { tone, says, why: texts.needsBundle }
  const said = saidIn(texts, notes)
  return { tone, says, why: [why, remark && texts.remarkOn(remark), ...said].filter(Boolean).join(' ') }
}

/** The headline names the policy that decided, and is green only for a log that the page itself trusts. */
const withSource = (texts: Texts, { tone, says, why }: Headline, by: Result['by']): Headline => {
  if (by === undefined) return { tone, says, why }
  return {
    tone: tone === 'good' && !by.isOwnLog ? 'caution' : tone,
    says: `${says} – ${texts.byPolicy(plainLine(by.policy, 80))}`,
    why,
  }
}

/** Names the original if it is at hand, inside of the file or because it was checked before. */
const whyChanged = (texts: Texts, { outcome, original, differences, paper }: Result): string => {
  const issuer = outcome.kind === 'report' ? outcome.report.facts?.issuer : undefined
  const { number } = summaryOf(differences === undefined ? original : paper?.certificate)
  const name = issuer?.answer === 'yes' ? issuer.name : undefined
  return plainLine(texts.changed.why(name, number, differences !== undefined), 1_000)
}

const dateIn = ({ locale }: Texts, date: string): string => {
  const time = Date.parse(date)
  return Number.isNaN(time)
    ? date
    : new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(time)
}

/** Everything below the headline of one file. */
export const bodyOf = (texts: Texts, result: Result): readonly HTMLElement[] => {
  const { outcome, original, differences, replacement, isUnasked, from } = result
  const report = outcome.kind === 'report' ? outcome.report : undefined
  const facts = report?.answers.unchanged === 'yes' ? report.facts : undefined
  const isOther = report !== undefined && isChanged(report)
  return [
    ...(isOther && differences !== undefined ? changesOf(texts, differences) : []),
    ...(isOther ? [h('p', {}, h('b', {}, texts.changed.action), ` ${texts.askForOriginal}`)] : []),
    ...aboutOf(texts, result),
    ...(replacement === undefined ? [] : [h('a', { href: replacement }, texts.paper.replacement)]),
    ...(isUnasked === true || from !== undefined
      ? [h('p', { class: 'notice' }, texts.unasked(timeIn(texts, facts?.asOf) ?? '?', from?.join(', ')))]
      : []),
    ...askableOf(texts, result),
    ...(isOther && original !== undefined ? insideOf(texts, original) : []),
    ...(report === undefined || report.checks.length === 0
      ? []
      : [rowsOf(texts, report), technicalOf(texts, report, facts)]),
  ]
}

/** Nodes that may have the proof which the page does not have, or a newer one. */
const askableOf = (texts: Texts, { outcome, nodes = [], isUnasked }: Result): readonly HTMLElement[] => {
  const isUnproven =
    outcome.kind === 'failed' || (outcome.kind === 'report' && outcome.report.checks.length === 0)
  if (nodes.length === 0 || (!isUnproven && isUnasked !== true)) return []
  const links = nodes.map(({ name, href }) =>
    h('p', {}, h('a', { href, target: '_blank', rel: 'noreferrer' }, plainLine(name, 80))),
  )
  return [h('div', { class: 'notice' }, texts.askNodes, ...links)]
}

/** The values that a reader can compare with the page. */
const insideOf = (texts: Texts, original: JsonValue): readonly HTMLElement[] => [
  h('p', { class: 'notice' }, texts.insidePdf),
  h(
    'details',
    {},
    h('summary', {}, texts.notarized),
    h('dl', { class: 'facts' }, ...factRows(valuesOf(original))),
  ),
]

/** Number, heat, order and date, as they are in the file. */
const aboutOf = (texts: Texts, { paper, outcome }: Result): readonly HTMLElement[] => {
  const { number, heat, order, date } = summaryOf(paper?.certificate)
  const isSafe = outcome.kind === 'report' && outcome.report.answers.unchanged === 'yes'
  const parts = [
    ...(number === undefined ? [] : [`${texts.certificate} `, h('b', {}, number)]),
    ...(heat === undefined ? [] : [`, ${texts.heat} `, h('b', {}, heat)]),
    ...(order === undefined ? [] : [`, ${texts.order} ${order}`]),
    ...(date === undefined ? [] : [`, ${dateIn(texts, date)}`]),
  ]
  if (parts.length === 0) return []
  return [h('p', { class: 'about' }, ...(isSafe ? [] : [`${texts.summaryOf} `]), ...parts)]
}

type Row = {
  readonly answer: Answer
  readonly says: string
  readonly why: string
}

const marks = { yes: '✓', no: '✕', unknown: '–' } as const

/** The four answers. Without the first, the others are about the original, if it is known. */
const rowsOf = (texts: Texts, report: Report): HTMLElement => {
  const { rows } = texts
  const { answers, facts } = report
  const { unchanged } = answers
  const first: Row = {
    answer: unchanged,
    says: rows.unchanged[unchanged],
    why: unchanged === 'yes' ? rows.unchanged.same : texts.why.file,
  }
  const others: readonly Row[] =
    facts === undefined
      ? []
      : [
          issuerRow(texts, facts),
          timeRow(texts, facts),
          statusRow(texts, facts),
          ...confirmationRows(texts, facts),
        ].map((row) => (unchanged === 'yes' ? row : { ...row, says: texts.changed.original(row.says) }))
  return h('ul', { class: 'rows' }, ...[first, ...others].map(lineOf))
}

const lineOf = ({ answer, says, why }: Row): HTMLElement =>
  h(
    'li',
    { 'data-answer': answer },
    h('span', { class: 'mark', 'aria-hidden': 'true' }, marks[answer]),
    h('div', {}, h('h3', {}, says), h('p', { class: 'muted' }, why)),
  )

const issuerRow = (texts: Texts, { issuer }: Facts): Row => {
  const { issuer: row } = texts.rows
  const { answer, name = '', vatId, knownBy, review } = issuer
  const why = {
    yes:
      knownBy === 'review' && review !== undefined
        ? row.reviewed(dateIn(texts, review.reviewedAt), vatId)
        : row.policy,
    no: row.refused,
    unknown: row.nobody,
  }[answer]
  return { answer, says: answer === 'yes' ? row.by(name) : row[answer], why }
}

const timeRow = (texts: Texts, { time }: Facts): Row => {
  const { time: row } = texts.rows
  const on = timeIn(texts, time)
  return on === undefined
    ? { answer: 'unknown', says: row.unknown, why: row.unconfirmed }
    : { answer: 'yes', says: row.on(on), why: row.confirmed }
}

const statusRow = (texts: Texts, facts: Facts): Row => {
  const { status: row } = texts.rows
  const { newest, answer } = facts.status
  if (newest !== undefined)
    return {
      answer: 'no',
      says: row.kinds[newest.kind],
      why: `${correctionIn(texts, newest)}.`,
    }
  if (answer !== 'yes') return { answer, says: row.unknown, why: row.nobody }
  const why = asOfIn(texts, facts)
  return facts.isStatusOld ? { answer: 'unknown', says: row.unknown, why } : { answer, says: row.yes, why }
}

/** None if the policy demands nobody but the log. */
const confirmationRows = (texts: Texts, { confirmation }: Facts): readonly Row[] => {
  const { by, before, isDemanded } = confirmation
  if (!isDemanded) return []
  // In whole minutes, of which the next one is right, too.
  const minute = before && new Date(Date.parse(before) + 59_999).toISOString()
  const { says, why } = confirmationIn(texts.confirmation, confirmation, timeIn(texts, minute))
  return [{ answer: by === 'operator' ? 'unknown' : 'yes', says, why: `${plainLine(why)}.` }]
}

const changesOf = (texts: Texts, differences: readonly Difference[]): readonly HTMLElement[] => {
  const rows = differences
    .slice(0, 100)
    .map((one) =>
      h(
        'tr',
        {},
        h('th', { scope: 'row' }, fieldOf(texts, one)),
        ...[one.notarized, one.here].map((value) => h('td', {}, value ?? '–')),
      ),
    )
  const heads = [texts.fieldName, texts.notarized, texts.inThisFile].map((text) =>
    h('th', { scope: 'col' }, text),
  )
  return [h('table', { class: 'changes' }, h('thead', {}, h('tr', {}, ...heads)), h('tbody', {}, ...rows))]
}

/** `C, heat 175508` */
const fieldOf = (texts: Texts, { property, fact, heat }: Difference): string => {
  if (fact !== undefined) return texts[fact === 'number' ? 'certificate' : fact]
  return heat === undefined ? property : `${property}, ${texts.heat} ${heat}`
}

/** Answers about another file say nothing about this one. */
const aboutOthers: readonly Check['name'][] = ['issuer', 'time', 'status']

const technicalOf = (texts: Texts, { checks }: Report, facts: Facts | undefined): HTMLElement => {
  const shown = facts === undefined ? checks.filter(({ name }) => !aboutOthers.includes(name)) : checks
  return h(
    'details',
    { class: 'technical' },
    h('summary', {}, texts.technicalDetails),
    h('dl', { id: 'facts', class: 'facts' }, ...(facts === undefined ? [] : factRows(factsIn(texts, facts)))),
    h(
      'ul',
      { id: 'checks', lang: 'en' },
      ...shown.map(({ outcome, says }) => h('li', { 'data-outcome': outcome }, says)),
    ),
  )
}

/** Leaves out the name that a key gave itself: only a name that the policy or a review confirms is shown. */
const factsIn = (
  texts: Texts,
  { issuer, time, asOf, status, index, size, origin }: Facts,
): readonly (readonly [string, string | undefined])[] => {
  const { answer, name = '', vatId } = issuer
  const { facts } = texts
  return [
    [facts.issuer, answer === 'yes' ? name : facts.unknown],
    [facts.vatId, answer === 'yes' ? vatId : undefined],
    [facts.recorded, time ?? texts.rows.time.unconfirmed],
    [facts.asOf, asOf ?? facts.unknown],
    [facts.entry, `${index} / ${size}, ${origin}`],
    ...status.corrections.map((one) => [facts.correction, correctionIn(texts, one)] as const),
  ]
}
