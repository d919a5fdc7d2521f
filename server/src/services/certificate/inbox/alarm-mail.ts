import type { AlarmedCertificate, CertificateSummary } from '@millseal/contract'
import { paths } from '../../../http/pages/links.ts'
import type { Wording } from '../../../lib/mail-languages.ts'
import { oneLine, renderMail, timeOf, unsubscribeLink } from '../../../lib/mail-layout.ts'
import type { Job, JobKind } from '../../../ports/jobs/jobs.ts'
import { type MailBody, type MailFrame, sendCompanyMail } from '../../user/index.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { reasonFact, testNotice } from '../mails/mail-facts.ts'
import { findDecision } from './decisions.store.ts'
import { findEntry, type StoredDecision, type StoredEntry } from './inbox.store.ts'

type AlarmMail = { readonly inboxId: string; readonly decisionId: string; readonly address: string }

/** Something that the company accepted is not valid any more. */
export const alarmMail: JobKind<AlarmMail> = {
  name: 'inbox-alarm-mail',
  retries: 12,
  backoffSeconds: 10,
  expireSeconds: 60,
}

export const sendAlarmMail = async (
  deps: CertificateDependencies,
  { data: { inboxId, decisionId, address } }: Job<AlarmMail>,
): Promise<void> => {
  const { query } = deps.database
  const [entry, decision] = await Promise.all([findEntry(query, inboxId), findDecision(query, decisionId)])
  if (entry === undefined || decision === undefined) return
  const { companyId, mode } = entry
  await sendCompanyMail(deps, { companyId, mode, kind: 'alarm', about: decisionId, address }, (frame) =>
    compose(deps, { entry, decision, frame }),
  )
}

const compose = (
  { publicUrl }: CertificateDependencies,
  {
    entry: { id, mode, companyId, summary: json, alarm },
    decision: { decidedAt, reason },
    frame,
  }: { readonly entry: StoredEntry; readonly decision: StoredDecision; readonly frame: MailFrame },
): MailBody => {
  const { language } = frame
  const summary = JSON.parse(json) as CertificateSummary
  const outcome = outcomes[alarm as AlarmedCertificate['verdict']] ?? words.invalid
  const { text, html } = renderMail({
    languages: [language],
    heading: words.heading,
    notice: testNotice(mode),
    before: [outcome, words.block],
    facts: [
      [words.number, summary.identifier],
      [words.seller, summary.sellerName],
      [words.order, summary.orderNumber],
      [words.heats, summary.heats?.join(', ')],
      [words.accepted, timeOf(decidedAt)],
      ...(reason === null ? [] : [reasonFact(reason)]),
    ],
    button: {
      label: words.open,
      url: `${publicUrl()}${paths.console}desk/${id}?mode=${mode}&company=${companyId}`,
    },
    after: [],
    why: words.why,
    unsubscribe: unsubscribeLink(frame),
  })
  const test = mode === 'test' ? '[TEST] ' : ''
  const title = [words.heading[language], summary.identifier].filter((part) => part !== undefined).join(': ')
  return { subject: oneLine(`${test}${title}`, 120), text, html }
}

const outcomes: Readonly<Partial<Record<AlarmedCertificate['verdict'], Wording>>> = {
  withdrawn: {
    en: 'You accepted this certificate. Now it has been withdrawn.',
    de: 'Sie haben dieses Zeugnis angenommen. Jetzt wurde es zurückgezogen.',
  },
  replaced: {
    en: 'You accepted this certificate. Now it has been replaced by another one.',
    de: 'Sie haben dieses Zeugnis angenommen. Jetzt wurde es durch ein anderes ersetzt.',
  },
  revoked: {
    en: 'You accepted this certificate. Now the key that signed it has been revoked.',
    de: 'Sie haben dieses Zeugnis angenommen. Jetzt wurde der Schlüssel widerrufen, mit dem es signiert ist.',
  },
}

const words = {
  heading: {
    en: 'An accepted certificate is no longer valid',
    de: 'Ein angenommenes Zeugnis ist nicht mehr gültig',
  },
  invalid: {
    en: 'You accepted this certificate. Now it cannot be relied on any more.',
    de: 'Sie haben dieses Zeugnis angenommen. Jetzt ist darauf kein Verlass mehr.',
  },
  block: {
    en: 'Find out whether the material is in stock or in use, and ask the supplier.',
    de: 'Stellen Sie fest, ob das Material im Lager oder verbaut ist, und fragen Sie den Lieferanten.',
  },
  number: { en: 'Certificate', de: 'Zeugnis' },
  seller: { en: 'Seller', de: 'Verkäufer' },
  order: { en: 'Order', de: 'Bestellung' },
  heats: { en: 'Heat or batch', de: 'Schmelze oder Charge' },
  accepted: { en: 'Accepted', de: 'Angenommen' },
  open: { en: 'Open the certificate', de: 'Zeugnis öffnen' },
  why: {
    en: 'You receive this mail because you are a contact of a company that accepted this certificate.',
    de: 'Sie erhalten diese E-Mail, weil Sie Kontakt einer Firma sind, die dieses Zeugnis angenommen hat.',
  },
} as const satisfies Readonly<Record<string, Wording>>
