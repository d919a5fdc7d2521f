import type { CertificateSummary, Mode } from '@millseal/contract'
import { type Certificate, languagesOf, type Material } from '@millseal/families'
import { type MailLanguages, mailLanguagesOf, type Wording } from '../../../lib/mail-languages.ts'
import { type Fact, timeOf, withoutLinks } from '../../../lib/mail-layout.ts'
import type { Confirmed } from '../../../ports/ledger/confirmations.ts'
import type { MailFrame } from '../../user/index.ts'
import type { StoredCertificate } from '../certificates/certificates.store.ts'
import { summaryOf } from '../certificates/certificates.store.ts'

/** That of the person, those of the certificate or, once it is erased, that of its issuer. */
export const languagesFor = (
  { ownLanguage, language }: MailFrame,
  certificate: Certificate | null,
): MailLanguages =>
  ownLanguage !== undefined || certificate === null ? [language] : mailLanguagesOf(languagesOf(certificate))

const labels = {
  number: { en: 'Certificate', de: 'Zeugnis' },
  seller: { en: 'Seller', de: 'Verkäufer' },
  buyer: { en: 'Customer', de: 'Kunde' },
  product: { en: 'Product', de: 'Erzeugnis' },
  heat: { en: 'Heat or batch', de: 'Schmelze oder Charge' },
  quantity: { en: 'Quantity', de: 'Menge' },
  order: { en: 'Order', de: 'Bestellung' },
  delivery: { en: 'Delivery', de: 'Lieferung' },
} as const satisfies Readonly<Record<string, Wording>>

/** Whose certificate it is. */
export const namingFacts = (certificate: StoredCertificate): readonly Fact[] => {
  const { identifier, sellerName } = summaryOf(certificate)
  return [
    [labels.number, identifier],
    [labels.seller, sellerName],
  ]
}

const shownHeats = 5

/** What somebody in goods receiving compares with the goods. */
export const goodsFacts = (summary: CertificateSummary, { heats, quantity }: Material): readonly Fact[] => {
  const more = heats.length > shownHeats ? ', …' : ''
  return [
    [labels.buyer, summary.buyerName],
    [labels.product, summary.productDescription],
    [labels.heat, heats.length === 0 ? undefined : `${heats.slice(0, shownHeats).join(', ')}${more}`],
    [labels.quantity, quantity],
    [labels.order, joined(summary.orderNumber, summary.orderPosition)],
    [labels.delivery, joined(summary.deliveryNumber, summary.deliveryPosition)],
  ]
}

export const ledgerFacts = (
  { hash, recordedAt, transactionId }: StoredCertificate,
  confirmed?: Confirmed,
): readonly Fact[] => [
  [{ en: 'Recorded', de: 'Eingetragen' }, recordedAt === null ? undefined : timeOf(recordedAt)],
  [
    { en: 'Confirmed', de: 'Bestätigt' },
    confirmed && `${timeOf(confirmed.at)} · ${confirmed.by.map(withoutLinks).join(', ')}`,
  ],
  [{ en: 'SHA-256', de: 'SHA-256' }, hash],
  [{ en: 'Transaction', de: 'Transaktion' }, transactionId ?? undefined],
]

/** As somebody entered it: it is in one language, so a mail in two shows it once. */
export const reasonFact = (reason: string): Fact => [{ en: 'Reason', de: 'Grund' }, reason]

const joined = (number: string | undefined, position: string | undefined): string | undefined =>
  number === undefined || position === undefined ? number : `${number} / ${position}`

export const testNotice = (mode: Mode): Wording | undefined =>
  mode === 'test'
    ? {
        en: 'This is a test certificate: it does not describe real material.',
        de: 'Dies ist ein Testzeugnis: Es beschreibt kein echtes Material.',
      }
    : undefined

/** Who corrected something, if it was not the issuer. */
export const byOperator = {
  en: 'the operator of this service, after a review',
  de: 'nach einer Prüfung vom Betreiber dieses Dienstes',
} as const satisfies Wording
