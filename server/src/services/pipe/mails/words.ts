import { type EventDeclaration, type EventName, events } from '@millseal/contract'
import type { MailLanguage } from './languages.ts'

type EventKey = EventName extends infer E
  ? E extends { readonly resource: infer R extends string; readonly action: infer A extends string }
    ? `${R}/${A}`
    : never
  : never

const german: Readonly<Record<EventKey, string>> = {
  'companies/update_one': 'Ein Unternehmen wurde geändert, bestätigt oder abgelehnt',
  'companies/delete_one': 'Ein Unternehmen wurde gelöscht',
  'applications/create_one': 'Eine Anwendung wurde angelegt',
  'applications/update_one': 'Eine Anwendung wurde geändert oder hat ein neues Geheimnis',
  'applications/delete_one': 'Eine Anwendung wurde gelöscht',
  'access_token/create_one': 'Ein langlebiges Zugriffstoken wurde ausgestellt',
  'access_token/update_one': 'Ein langlebiges Zugriffstoken wurde ersetzt oder widerrufen',
  'wallets/create_one': 'Eine Wallet wurde angelegt',
  'wallets/update_one': 'Eine Wallet wurde umbenannt, gesichert oder wiederhergestellt',
  'wallets/delete_one': 'Die Schlüssel einer Wallet wurden gelöscht',
  'identities/create_one': 'Eine Identität wurde angelegt',
  'identities/update_one': 'Eine Identität wurde veröffentlicht oder ist überholt',
  'identities/notarize_one': 'Eine Identität wurde veröffentlicht',
  'transactions/sign': 'Eine Transaktion wurde signiert',
  'transactions/send': 'Eine Transaktion steht im Register',
  'certificates/notarize_one': 'Ein Zertifikat des Unternehmens ist notarisiert',
  'certificates/receive_one': 'Ein Zertifikat, das das Unternehmen als Empfänger nennt, ist notarisiert',
  'hooks/create_one': 'Ein Webhook wurde angelegt',
  'hooks/update_one': 'Ein Webhook wurde geändert',
  'hooks/delete_one': 'Ein Webhook wurde gelöscht',
  'mail_hooks/create_one': 'Eine Mailbenachrichtigung wurde angelegt',
  'mail_hooks/update_one': 'Eine Mailbenachrichtigung wurde geändert',
  'mail_hooks/delete_one': 'Eine Mailbenachrichtigung wurde gelöscht',
}

const everyEvent: readonly EventDeclaration[] = events
const english = new Map(everyEvent.map(({ resource, action, summary }) => [`${resource}/${action}`, summary]))

/** What happened, in a sentence. */
export const sentenceOf = (
  { resource, action }: { readonly resource: string; readonly action: string },
  language: MailLanguage,
): string => {
  const key = `${resource}/${action}`
  const translated = language === 'de' ? new Map(Object.entries(german)).get(key) : undefined
  return translated ?? english.get(key) ?? key
}

const englishWords = {
  testMark: '[TEST]',
  about: (company: string) => `For ${company}. The record as it was sent to webhooks is attached.`,
  test: 'This happened in test mode: it stands for no material.',
  open: 'To the service',
  why: 'You get this mail because a mail hook of your company asks for it.',
  eventId: 'Event',
  mode: 'Mode',
  name: 'Name',
  description: 'Description',
  status: 'Status',
  id: 'Id',
  certificate: 'Certificate',
  seller: 'Seller',
  buyer: 'Buyer',
  product: 'Product',
  order: 'Order',
  delivery: 'Delivery',
}

export type MailWords = typeof englishWords

export const words: Readonly<Record<MailLanguage, MailWords>> = {
  en: englishWords,
  de: {
    testMark: '[TEST]',
    about: (company) => `Für ${company}. Angehängt ist, was auch Webhooks erhalten.`,
    test: 'Das geschah im Testmodus: es steht für kein Material.',
    open: 'Zum Dienst',
    why: 'Sie erhalten diese Mail, weil Ihr Unternehmen sie für solche Ereignisse eingerichtet hat.',
    eventId: 'Ereignis',
    mode: 'Modus',
    name: 'Name',
    description: 'Beschreibung',
    status: 'Status',
    id: 'Id',
    certificate: 'Zertifikat',
    seller: 'Verkäufer',
    buyer: 'Käufer',
    product: 'Produkt',
    order: 'Bestellung',
    delivery: 'Lieferung',
  },
}
