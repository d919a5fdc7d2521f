import { limits, type Mode } from '@millseal/contract'
import type { summarize } from '@millseal/families'
import { renderMail, oneLine } from '../../../lib/mail-layout.ts'
import type { MailLanguage } from './languages.ts'
import { type MailWords, sentenceOf, words } from './words.ts'

export type EventToMail = {
  readonly eventId: string
  readonly mode: Mode
  readonly resource: string
  readonly action: string
  readonly payload: Uint8Array
}

export type Composing = {
  readonly event: EventToMail
  readonly companyName: string
  readonly language: MailLanguage
  readonly publicUrl: string
  /** What a certificate is about, of whichever family. */
  readonly summarize: Summarize
}

export type Summarize = typeof summarize

export type ComposedMail = {
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly attachmentName: string
}

type Payload = Parameters<typeof summarize>[0]['json']
type Facts = readonly (readonly [label: string, value: string | undefined])[]

export const composeEventMail = ({
  event,
  companyName,
  language,
  publicUrl,
  summarize: summary,
}: Composing): ComposedMail => {
  const said = words[language]
  const heading = sentenceOf(event, language)
  const payload = JSON.parse(Buffer.from(event.payload).toString('utf8')) as Payload
  const facts =
    event.resource === 'certificates'
      ? factsOfCertificate(summary({ json: payload }), said)
      : factsOf(payload, said)
  const { text, html } = renderMail({
    language,
    heading,
    before: [said.about(oneLine(companyName)), ...(event.mode === 'test' ? [said.test] : [])],
    facts: [
      ...facts.flatMap(([label, value]) => (value === undefined ? [] : [[label, value] as const])),
      [said.mode, event.mode],
      [said.eventId, event.eventId],
    ],
    after: [],
    link: { label: said.open, url: publicUrl },
    footer: [said.why],
  })
  const [, named] = facts.find(([, value]) => value !== undefined) ?? []
  const subject = `${event.mode === 'test' ? `${said.testMark} ` : ''}${heading}${named === undefined ? '' : `: ${named}`}`
  return {
    subject: oneLine(subject, limits.mailSubject.maxLength),
    text,
    html,
    attachmentName: attachmentNameOf(event, facts[0]?.[1]),
  }
}

/** From a certificate's own number, so that people find it again. */
const attachmentNameOf = ({ resource, action }: EventToMail, named: string | undefined): string => {
  if (resource !== 'certificates') return `${resource}-${action}.json`
  const plain = (named ?? '').replaceAll(/[^A-Za-z0-9._-]+/g, '-').replaceAll(/^[-.]+|[-.]+$/g, '')
  return plain === '' ? 'certificate.json' : `certificate-${plain.slice(0, longestName)}.json`
}

const longestName = 60

/** The first that is there names what the mail is about. */
const factsOfCertificate = (summary: ReturnType<Summarize>, said: MailWords): Facts => [
  [said.certificate, summary.identifier],
  [said.seller, summary.sellerName],
  [said.buyer, summary.buyerName],
  [said.product, summary.productDescription],
  [said.order, together(summary.orderNumber, summary.orderPosition)],
  [said.delivery, together(summary.deliveryNumber, summary.deliveryPosition)],
]

const factsOf = (payload: Payload, said: MailWords): Facts => {
  const members = new Map(Object.entries(payload ?? {}))
  const text = (name: string): string | undefined => {
    const value: unknown = members.get(name)
    return typeof value === 'string' && value.trim() !== '' ? value : undefined
  }
  return [
    [said.name, text('name')],
    [said.description, text('description')],
    [said.status, text('status')],
    [said.id, text('id')],
  ]
}

const together = (number: string | undefined, position: string | undefined): string | undefined =>
  number === undefined || position === undefined ? number : `${number} / ${position}`
