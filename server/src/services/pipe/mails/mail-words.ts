import {
  type EventDeclaration,
  type EventName,
  events,
  type identityStates,
  type onOff,
} from '@millseal/contract'
import type { Wording } from '../../../lib/mail-languages.ts'

type EventKey = EventName extends infer E
  ? E extends { readonly resource: infer R extends string; readonly action: infer A extends string }
    ? `${R}/${A}`
    : never
  : never

const german: Readonly<Record<EventKey, string>> = {
  'companies/update_one': 'Eine Firma wurde geändert, bestätigt oder abgelehnt',
  'companies/delete_one': 'Eine Firma wurde gelöscht',
  'applications/create_one': 'Eine Anwendung wurde angelegt',
  'applications/update_one': 'Eine Anwendung wurde geändert oder hat ein neues Geheimnis',
  'applications/delete_one': 'Eine Anwendung wurde gelöscht',
  'access_token/create_one': 'Ein langlebiges Zugriffstoken wurde ausgestellt',
  'access_token/update_one': 'Ein langlebiges Zugriffstoken wurde ersetzt oder widerrufen',
  'wallets/create_one': 'Ein Wallet wurde angelegt',
  'wallets/update_one': 'Ein Wallet wurde umbenannt, gesichert oder wiederhergestellt',
  'wallets/delete_one': 'Die Schlüssel eines Wallets wurden gelöscht',
  'identities/create_one': 'Eine Identität wurde angelegt',
  'identities/update_one': 'Eine Identität wurde veröffentlicht oder ist nicht mehr gültig',
  'identities/notarize_one': 'Eine Identität wurde veröffentlicht',
  'identities/revoke_one': 'Eine Identität wurde widerrufen',
  'transactions/sign': 'Eine Transaktion wurde signiert',
  'transactions/send': 'Eine Transaktion wurde ins Ledger eingetragen',
  'certificates/notarize_one': 'Ein Zeugnis der Firma wurde notarisiert',
  'certificates/receive_one': 'Ein Zeugnis, das die Firma als Empfänger nennt, wurde notarisiert',
  'certificates/withdraw_one': 'Ein Zeugnis wurde zurückgezogen',
  'certificates/replace_one': 'Ein Zeugnis wurde durch ein anderes ersetzt',
  'certificates/revoke_many':
    'Zeugnisse sind nicht mehr vertrauenswürdig, weil ihr Schlüssel widerrufen wurde',
  'inbox/accept_one': 'Ein Empfänger hat ein Zeugnis angenommen',
  'inbox/reject_one': 'Ein Empfänger hat ein Zeugnis zurückgewiesen',
  'inbox/reopen_one': 'Ein Empfänger hat seine Entscheidung über ein Zeugnis zurückgenommen',
  'inbox/alarm_one': 'Ein Zeugnis, das die Firma angenommen hat, ist nicht mehr gültig',
  'hooks/create_one': 'Ein Webhook wurde angelegt',
  'hooks/update_one': 'Ein Webhook wurde geändert',
  'hooks/delete_one': 'Ein Webhook wurde gelöscht',
  'mail_hooks/create_one': 'Ein Mail-Hook wurde angelegt',
  'mail_hooks/update_one': 'Ein Mail-Hook wurde geändert',
  'mail_hooks/delete_one': 'Ein Mail-Hook wurde gelöscht',
}

const everyEvent: readonly EventDeclaration[] = events
const english = new Map(everyEvent.map(({ resource, action, summary }) => [`${resource}/${action}`, summary]))

/** One sentence on what happened. */
export const sentenceOf = ({
  resource,
  action,
}: {
  readonly resource: string
  readonly action: string
}): Wording => {
  const key = `${resource}/${action}`
  const inEnglish = english.get(key) ?? key
  return { en: inEnglish, de: new Map(Object.entries(german)).get(key) ?? inEnglish }
}

export const mailWords = {
  test: { en: 'This event is from test mode.', de: 'Dieses Ereignis stammt aus dem Testmodus.' },
  testCertificate: {
    en: 'This event is from test mode: it does not describe real material.',
    de: 'Dieses Ereignis stammt aus dem Testmodus: Es beschreibt kein echtes Material.',
  },
  open: { en: 'Open Millseal', de: 'Millseal öffnen' },
  why: {
    en: 'You receive this mail because a mail hook of your company requests it.',
    de: 'Sie erhalten diese E-Mail, weil Ihre Firma einen Mail-Hook für dieses Ereignis eingerichtet hat.',
  },
  eventId: { en: 'Event', de: 'Ereignis' },
  mode: { en: 'Mode', de: 'Modus' },
  name: { en: 'Name', de: 'Name' },
  description: { en: 'Description', de: 'Beschreibung' },
  status: { en: 'Status', de: 'Status' },
  id: { en: 'ID', de: 'ID' },
  key: { en: 'Key', de: 'Schlüssel' },
  certificate: { en: 'Certificate', de: 'Zeugnis' },
  seller: { en: 'Seller', de: 'Verkäufer' },
  buyer: { en: 'Customer', de: 'Kunde' },
  product: { en: 'Product', de: 'Erzeugnis' },
  receiver: { en: 'Receiver', de: 'Empfänger' },
  reason: { en: 'Reason', de: 'Grund' },
  order: { en: 'Order', de: 'Bestellung' },
  delivery: { en: 'Delivery', de: 'Lieferung' },
} as const satisfies Readonly<Record<string, Wording>>

/** Of what an event is about. */
export const statusWords: Readonly<
  Record<(typeof identityStates)[number] | (typeof onOff)[number], Wording>
> = {
  valid: { en: 'valid', de: 'gültig' },
  obsolete: { en: 'obsolete', de: 'außer Gebrauch' },
  revoked: { en: 'revoked', de: 'widerrufen' },
  enabled: { en: 'enabled', de: 'eingeschaltet' },
  disabled: { en: 'disabled', de: 'ausgeschaltet' },
}

export const aboutCompany = (company: string, isAttached: boolean): Wording =>
  isAttached
    ? {
        en: `For ${company}. The data that webhooks receive is attached.`,
        de: `Für ${company}. Im Anhang finden Sie die Daten, die auch Webhooks erhalten.`,
      }
    : {
        en: `For ${company}. The data that webhooks receive is too large for a mail; the API returns it with this mail.`,
        de: `Für ${company}. Die Daten, die auch Webhooks erhalten, sind zu groß für eine E-Mail; die API liefert sie mit dieser E-Mail.`,
      }
