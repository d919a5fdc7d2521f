import type { Texts } from '../languages.ts'

export const texts: Texts['saved-mails'] = {
  title: 'Gespeicherte E-Mails',
  intro:
    'Diese Installation hat keinen Mailserver: E-Mails werden als Dateien gespeichert. Tokens in Links sind hier verborgen; die Dateien im Ordner mails enthalten sie.',
  search: 'Gespeicherte E-Mails durchsuchen',
  none: 'Noch wurde keine E-Mail gespeichert',
  noneText: 'Die nächste E-Mail, zum Beispiel die zum Bestätigen einer Adresse, erscheint hier.',
  from: 'Von',
  gone: 'Hier werden keine E-Mails gespeichert',
  goneText: 'Ein Mailserver versendet sie (SMTP_URL).',
}
