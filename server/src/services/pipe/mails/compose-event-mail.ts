import {
  type CorrectedCertificate,
  type DecidedCertificate,
  limits,
  type RevokedCertificates,
} from '@millseal/contract'
import { paths } from '../../../http/pages/links.ts'
import type { MailLanguage, Wording } from '../../../lib/mail-languages.ts'
import { type Fact, oneLine, renderMail } from '../../../lib/mail-layout.ts'
import { fitsInMail } from '../../../lib/mail-size.ts'
import type { PipeDependencies } from '../dependencies.ts'
import { hiddenUnsubscribeLink } from './hidden-unsubscribe-link.ts'
import { aboutCompany, mailWords as words, sentenceOf, statusWords } from './mail-words.ts'
import type { MailOrder } from './orders.store.ts'

export type EventToMail = Omit<MailOrder, 'mailHookId' | 'companyId'>

export type Composing = {
  readonly event: EventToMail
  readonly companyName: string
  readonly language: MailLanguage
  readonly publicUrl: string
  /** Undefined if the company was deleted: it sends no more mails. */
  readonly companyId: string | undefined
  readonly summarize: Summarize
  readonly mailBytes: number
}

type Summarize = PipeDependencies['summarize']

export type ComposedMail = {
  readonly subject: string
  readonly textContent: string
  readonly htmlContent: string
  readonly attachmentName: string
}

type Payload = Parameters<Summarize>[0]['json']
type Facts = readonly Fact[]

export const composeEventMail = (composing: Composing): ComposedMail => {
  const { event, companyName, language, publicUrl, companyId, mailBytes } = composing
  const heading = sentenceOf(event)
  const name = oneLine(companyName)
  const payload = JSON.parse(Buffer.from(event.payload).toString('utf8')) as Payload
  const facts = factsAbout({ ...composing, payload })
  const { text, html } = renderMail({
    languages: [language],
    heading,
    notice: event.mode === 'test' ? testNoticeOf(event) : undefined,
    before: [aboutCompany(name, fitsInMail(event.payload.length, mailBytes))],
    facts: [...facts, [words.mode, event.mode === 'test' ? 'Test' : 'Live'], [words.eventId, event.eventId]],
    after: [],
    button: { label: words.open, url: `${publicUrl}${placeOf(event, companyId)}` },
    why: words.why,
    unsubscribe: companyId === undefined ? undefined : hiddenUnsubscribeLink(name, publicUrl),
  })
  const [, title] = facts.find(([label, value]) => !untitled.includes(label) && value !== undefined) ?? []
  const test = event.mode === 'test' ? '[TEST] ' : ''
  const subject = `${test}${heading[language]}${title === undefined ? '' : `: ${title}`}`
  return {
    subject: oneLine(subject, limits.mailSubject.maxLength),
    textContent: text,
    htmlContent: html,
    attachmentName: attachmentNameOf(event, facts[0]?.[1]),
  }
}

const factsAbout = ({
  event,
  payload,
  summarize,
  language,
}: Composing & { readonly payload: Payload }): Facts => {
  if (event.resource === 'certificates') return factsAboutCertificates(event, payload, summarize)
  return event.resource === 'inbox' ? factsAboutDecision(payload) : factsOf(payload, language)
}

/** An alarm has no receiver and no reason. */
const factsAboutDecision = (payload: Payload): Facts => {
  const { summary = {}, receiver, reason } = payload as unknown as Partial<DecidedCertificate>
  return [...factsOfCertificate(summary), [words.receiver, receiver?.name], [words.reason, reason]]
}

/** They say nothing to a reader of the subject. */
const untitled: readonly Wording[] = [words.status, words.key, words.id]

const testNoticeOf = ({ resource }: EventToMail): Wording =>
  resource === 'certificates' || resource === 'inbox' ? words.testCertificate : words.test

/** The screens of the console, by resource. */
const screens = new Map([
  ['applications', 'automation'],
  ['access_token', 'automation'],
  ['wallets', 'keys'],
  ['identities', 'keys'],
  ['transactions', 'transactions'],
  ['certificates', 'certificates'],
  ['inbox', 'desk'],
  ['hooks', 'webhooks'],
  ['mail_hooks', 'mails'],
  ['companies', 'company'],
])

/** In the console: where the company has what the event is about. */
const placeOf = ({ resource, action, mode }: EventToMail, companyId: string | undefined): string => {
  if (companyId === undefined) return paths.console
  const screen = action === 'receive_one' ? 'received' : (screens.get(resource) ?? '')
  return `${paths.console}${screen}?mode=${mode}&company=${companyId}`
}

const statusIn = (language: MailLanguage, status: string | undefined): string | undefined =>
  new Map(Object.entries(statusWords)).get(status ?? '')?.[language] ?? status

/** Named after the number of a certificate, so that people find it again. */
const attachmentNameOf = ({ resource, action }: EventToMail, title: string | undefined): string => {
  if (resource !== 'certificates' || action === 'revoke_many') return `${resource}-${action}.json`
  const plain = (title ?? '').replaceAll(/[^A-Za-z0-9._-]+/g, '-').replaceAll(/^[-.]+|[-.]+$/g, '')
  return plain === '' ? 'certificate.json' : `certificate-${plain.slice(0, maxNameLength)}.json`
}

const maxNameLength = 60

const factsAboutCertificates = (event: EventToMail, payload: Payload, summarize: Summarize): Facts => {
  if (event.action !== 'revoke_many')
    return factsOfCertificate(correctedSummary(event, payload) ?? summarize({ json: payload }))
  const { certificates } = payload as unknown as RevokedCertificates
  return certificates.map(({ summary, hash }) => [
    words.certificate,
    [summary.identifier ?? hash, summary.sellerName ?? []].flat().join(', '),
  ])
}

/** A correction carries the summary of its certificate; all other events carry the certificate. */
const correctedSummary = ({ action }: EventToMail, payload: Payload): ReturnType<Summarize> | undefined =>
  action === 'withdraw_one' || action === 'replace_one'
    ? (payload as unknown as CorrectedCertificate).summary
    : undefined

/** The first fact that has a value names the certificate in the subject. */
const factsOfCertificate = (summary: ReturnType<Summarize>): Facts => [
  [words.certificate, summary.identifier],
  [words.seller, summary.sellerName],
  [words.buyer, summary.buyerName],
  [words.product, summary.productDescription],
  [words.order, joined(summary.orderNumber, summary.orderPosition)],
  [words.delivery, joined(summary.deliveryNumber, summary.deliveryPosition)],
]

const factsOf = (payload: Payload, language: MailLanguage): Facts => {
  const members = new Map(Object.entries(payload ?? {}))
  const text = (name: string): string | undefined => {
    const value: unknown = members.get(name)
    return typeof value === 'string' && value.trim() !== '' ? value : undefined
  }
  return [
    [words.name, text('name')],
    [words.description, text('description')],
    [words.status, statusIn(language, text('status'))],
    [words.key, text('did')],
    [words.id, text('id')],
  ]
}

const joined = (number: string | undefined, position: string | undefined): string | undefined =>
  number === undefined || position === undefined ? number : `${number} / ${position}`
