import { type CorrectedCertificate, limits, type RevokedCertificates } from '@millseal/contract'
import type { MailLanguage } from '../../../lib/mail-languages.ts'
import { type Fact, oneLine, renderMail } from '../../../lib/mail-layout.ts'
import { fitsInMail } from '../../../lib/mail-size.ts'
import type { PipeDependencies } from '../dependencies.ts'
import { aboutCompany, mailWords as words, sentenceOf } from './mail-words.ts'
import type { MailOrder } from './orders.store.ts'

export type EventToMail = Omit<MailOrder, 'mailHookId' | 'companyId'>

export type Composing = {
  readonly event: EventToMail
  readonly companyName: string
  readonly language: MailLanguage
  readonly consoleUrl: string
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

export const composeEventMail = ({
  event,
  companyName,
  language,
  consoleUrl,
  summarize,
  mailBytes,
}: Composing): ComposedMail => {
  const heading = sentenceOf(event)
  const payload = JSON.parse(Buffer.from(event.payload).toString('utf8')) as Payload
  const facts =
    event.resource === 'certificates' ? factsAboutCertificates(event, payload, summarize) : factsOf(payload)
  const { text, html } = renderMail({
    languages: [language],
    heading,
    notice: event.mode === 'test' ? words.test : undefined,
    before: [aboutCompany(oneLine(companyName), fitsInMail(event.payload.length, mailBytes))],
    facts: [...facts, [words.mode, event.mode === 'test' ? 'Test' : 'Live'], [words.eventId, event.eventId]],
    after: [],
    button: { label: words.open, url: consoleUrl },
    why: words.why,
  })
  const [, title] = facts.find(([, value]) => value !== undefined) ?? []
  const test = event.mode === 'test' ? '[TEST] ' : ''
  const subject = `${test}${heading[language]}${title === undefined ? '' : `: ${title}`}`
  return {
    subject: oneLine(subject, limits.mailSubject.maxLength),
    textContent: text,
    htmlContent: html,
    attachmentName: attachmentNameOf(event, facts[0]?.[1]),
  }
}

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

const factsOf = (payload: Payload): Facts => {
  const members = new Map(Object.entries(payload ?? {}))
  const text = (name: string): string | undefined => {
    const value: unknown = members.get(name)
    return typeof value === 'string' && value.trim() !== '' ? value : undefined
  }
  return [
    [words.name, text('name')],
    [words.description, text('description')],
    [words.status, text('status')],
    [words.id, text('id')],
  ]
}

const joined = (number: string | undefined, position: string | undefined): string | undefined =>
  number === undefined || position === undefined ? number : `${number} / ${position}`
