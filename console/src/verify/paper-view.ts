import { h, factRows } from './dom.ts'
import { correctionIn, saidIn, timeIn } from './headline.ts'
import { type Coded, decisive, knownIssuer } from './paper.ts'
import type { Texts } from './texts/texts.ts'
import { plainLine, type Tone, tones } from '@millseal/proof/verifier'

/** Never the tone `good`: the paper was not verified. */
const toneOf = (verdict: Coded['verdict']): Tone => (verdict === 'recorded' ? 'none' : tones[verdict])

/** The answer of the ledger about a code, for somebody who holds the paper. */
export const paperOf = (texts: Texts, found: readonly Coded[], server: string): readonly HTMLElement[] => {
  const { paper } = texts
  if (found.length === 0)
    return [
      block({ tone: 'none', says: texts.says.notFound.toUpperCase(), why: paper.notFoundWhy }),
      h('p', {}, paper.askForFile),
    ]
  return [
    ...found.map((one) => certificateBlock(texts, one, server)),
    h('p', {}, h('b', {}, paper.compare), ` ${paper.checkFile}`),
  ]
}

export const unreadPaper = (texts: Texts, why: string): readonly HTMLElement[] => [
  block({ tone: 'none', says: texts.says.unchecked.toUpperCase(), why }),
]

const block = (
  { tone, says, why }: { readonly tone: Tone; readonly says: string; readonly why: string },
  ...more: readonly HTMLElement[]
): HTMLElement => h('div', { 'data-verdict': tone }, h('h2', {}, says), h('p', {}, why), ...more)

/** Says TEST before anything else about a test certificate, too. */
const certificateBlock = (texts: Texts, one: Coded, server: string): HTMLElement => {
  const { paper } = texts
  const { mode, verdict, replacement } = one
  const correction = decisive(one)
  const verdictWhy = correction === undefined ? whyOf(texts, one) : `${correctionIn(texts, correction)}.`
  const why = [verdictWhy, ...saidIn(texts, one.said)].join(' ')
  const isMarked = mode === 'test' && verdict !== 'test'
  const word = { ...texts.rows.status.kinds, ...paper.says }[verdict]
  const says = (isMarked ? `${paper.says.test}. ${word}` : word).toUpperCase()
  const facts = h('dl', { class: 'facts' }, ...factRows(rowsOf(texts, one)))
  const link =
    replacement === undefined
      ? []
      : [h('a', { href: new URL(`v/${replacement}`, server).href }, paper.replacement)]
  return block({ tone: toneOf(verdict), says, why: plainLine(why, 1_000) }, facts, ...link)
}

const whyOf = (texts: Texts, one: Coded): string => {
  const { verdict, mode } = one
  const asOf = timeIn(texts, one.asOf) ?? '?'
  const { paper, rows } = texts
  const recorded = paper.why(knownIssuer(one)?.name, mode === 'test')
  if (verdict === 'test') return `${recorded}: ${paper.noMaterial}`
  if (verdict === 'unknownIssuer') return `${recorded}. ${rows.issuer.nobody}`
  return `${recorded}. ${verdict === 'unknownStatus' ? rows.status.nobody : rows.status.asOf(asOf)}`
}

const rowsOf = (texts: Texts, one: Coded): readonly (readonly [string, string | undefined])[] => {
  const { facts, modes } = texts
  const issuer = knownIssuer(one)
  return [
    [facts.mode, modes[one.mode]],
    [facts.issuer, issuer?.name ?? facts.unknown],
    [facts.vatId, issuer?.vatId],
    [facts.recorded, timeIn(texts, one.timestamp)],
    [facts.asOf, timeIn(texts, one.asOf) ?? facts.unknown],
    [facts.entry, one.proof?.logIndex.toString()],
    ['SHA-256', one.hash.value.replaceAll(/(.{8})(?=.)/gu, '$1 ')],
  ]
}
