import { type Answer, type Check, type Facts, plainLine, type Report } from '@millseal/proof/verifier'
import { factRows, h } from './dom.ts'
import { type Difference, valuesOf } from './differences.ts'
import { correctionIn, type Headline, headlineOf, timeIn } from './headline.ts'
import type { Result } from './judge.ts'
import { summaryOf } from './summary.ts'
import type { Texts } from './texts/texts.ts'

export const headlineIn = (
  texts: Texts,
  { outcome, remark, by, notes = [] }: Result,
  mode: 'live' | 'test',
): Headline => {
  if (outcome.kind === 'another') return { tone: 'bad', ...texts.another }
  if (outcome.kind === 'failed') return { tone: 'none', says: texts.says.unchecked, why: outcome.say(texts) }
  const { report, elsewhere } = outcome
  const { tone, says, why } = withSource(texts, headlineOf(texts, report), by)
  const { verdict, checks } = report
  const here = texts.modes[mode]
  if (verdict === 'notFound')
    return {
      tone,
      says,
      why:
        elsewhere === undefined ? texts.unknownIn(here) : texts.knownElsewhere(here, texts.modes[elsewhere]),
    }
  if (verdict === 'unchecked' && checks.length === 0) return { tone, says, why: texts.needsBundle }
  const said = notes.map((note) => note[texts.locale === 'de-DE' ? 'de' : 'en'])
  return { tone, says, why: [why, remark && texts.remark(remark), ...said].filter(Boolean).join(' ') }
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

const dateIn = ({ locale }: Texts, date: string): string => {
  const time = Date.parse(date)
  return Number.isNaN(time)
    ? date
    : new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(time)
}

/** Everything below the headline of one file. */
export const bodyOf = (texts: Texts, result: Result): readonly HTMLElement[] => {
  const { outcome, inside, differences, isUnasked } = result
  const report = outcome.kind === 'report' ? outcome.report : undefined
  const facts = report?.answers.unchanged === 'yes' ? report.facts : undefined
  return [
    ...aboutOf(texts, result),
    ...(isUnasked === true
      ? [h('p', { class: 'notice' }, texts.unasked(timeIn(texts, facts?.asOf) ?? '?'))]
      : []),
    ...(inside === undefined ? [] : insideOf(texts, result)),
    ...(differences === undefined || differences.length === 0 ? [] : changesOf(texts, differences)),
    ...(report === undefined || report.checks.length === 0
      ? []
      : [rowsOf(texts, report), technicalOf(texts, report, facts)]),
  ]
}

/** The values that a reader can compare with the page. */
const insideOf = (texts: Texts, { paper }: Result): readonly HTMLElement[] => [
  h('p', { class: 'notice' }, texts.inside),
  h(
    'details',
    {},
    h('summary', {}, texts.notarized),
    h('dl', { class: 'facts' }, ...factRows(valuesOf(paper?.certificate ?? null))),
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
  readonly answer: Answer | 'skipped'
  readonly says: string
  readonly why: string
  readonly meaning: string
}

const marks = { yes: '✓', no: '✕', unknown: '–', skipped: '·' } as const

/** The four answers. Without the first, the others would be about another file. */
const rowsOf = (texts: Texts, report: Report): HTMLElement => {
  const { rows } = texts
  const { answers, facts } = report
  const { unchanged } = answers
  const first: Row = {
    answer: unchanged,
    says: rows.unchanged[unchanged],
    why: unchanged === 'yes' ? rows.unchanged.same : rows.unchanged.changed,
    meaning: rows.unchanged.meaning,
  }
  const others: readonly Row[] =
    unchanged === 'yes' && facts !== undefined
      ? [issuerRow(texts, facts), timeRow(texts, facts), statusRow(texts, facts)]
      : []
  const list = h('ul', { class: 'rows' }, ...[first, ...others].map((row) => lineOf(texts, row)))
  if (others.length === 0)
    list.append(h('li', { 'data-answer': 'skipped' }, mark('skipped'), h('p', {}, rows.skipped)))
  return list
}

const mark = (answer: Row['answer']): HTMLElement =>
  h('span', { class: 'mark', 'aria-hidden': 'true' }, marks[answer])

const lineOf = (texts: Texts, { answer, says, why, meaning }: Row): HTMLElement =>
  h(
    'li',
    { 'data-answer': answer },
    mark(answer),
    h(
      'div',
      {},
      h('h3', {}, says),
      h('p', { class: 'muted' }, why),
      h('details', {}, h('summary', {}, texts.meaning), h('p', {}, meaning)),
    ),
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
  return { answer, says: answer === 'yes' ? row.by(name) : row[answer], why, meaning: row.meaning }
}

/** Only the operator of the ledger confirms the time so far. */
const timeRow = (texts: Texts, { time, index, size, origin }: Facts): Row => {
  const { time: row } = texts.rows
  const on = timeIn(texts, time)
  const number = new Intl.NumberFormat(texts.locale)
  return {
    answer: 'unknown',
    says: on === undefined ? row.unknown : row.on(on),
    why: on === undefined ? row.unconfirmed : row.where(number.format(index), number.format(size), origin),
    meaning: row.meaning,
  }
}

const statusRow = (texts: Texts, { status, asOf }: Facts): Row => {
  const { status: row } = texts.rows
  const { newest, answer } = status
  if (newest !== undefined)
    return {
      answer: 'no',
      says: row.kinds[newest.kind],
      why: `${correctionIn(texts, newest)}.`,
      meaning: row.meaning,
    }
  const says = answer === 'yes' ? row.yes : row.unknown
  return {
    answer,
    says,
    why: answer === 'yes' ? row.asOf(timeIn(texts, asOf) ?? '?') : row.nobody,
    meaning: row.meaning,
  }
}

const changesOf = (texts: Texts, differences: readonly Difference[]): readonly HTMLElement[] => {
  const rows = differences
    .slice(0, 100)
    .map(({ field, notarized, here }) =>
      h('tr', {}, h('th', { scope: 'row' }, field), h('td', {}, notarized ?? '–'), h('td', {}, here ?? '–')),
    )
  const heads = [texts.field, texts.notarized, texts.here].map((text) => h('th', { scope: 'col' }, text))
  return [
    h('h3', {}, texts.differences),
    h('table', { class: 'changes' }, h('thead', {}, h('tr', {}, ...heads)), h('tbody', {}, ...rows)),
  ]
}

/** Answers about another file say nothing about this one. */
const aboutOthers: readonly Check['name'][] = ['issuer', 'time', 'status']

const technicalOf = (texts: Texts, { checks }: Report, facts: Facts | undefined): HTMLElement => {
  const shown = facts === undefined ? checks.filter(({ name }) => !aboutOthers.includes(name)) : checks
  return h(
    'details',
    { class: 'technical' },
    h('summary', {}, texts.technical),
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
  { issuer, time, asOf, status }: Facts,
): readonly (readonly [string, string | undefined])[] => {
  const { answer, name = '', vatId } = issuer
  const { facts } = texts
  return [
    [facts.issuer, answer === 'yes' ? name : facts.unknown],
    [facts.vatId, answer === 'yes' ? vatId : undefined],
    [facts.recorded, time ?? texts.rows.time.unconfirmed],
    [facts.asOf, asOf ?? facts.unknown],
    ...status.corrections.map((one) => [facts.correction, correctionIn(texts, one)] as const),
  ]
}
