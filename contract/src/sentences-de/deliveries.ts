import type { Sentences } from '../in-words.ts'

/** Why a delivery or an e-mail failed. */
export const deliveries: Sentences = [
  [
    /^The receiver answered (\d+): redirects are not followed$/,
    'Der Empfänger hat mit $1 geantwortet: Weiterleitungen wird nicht gefolgt',
  ],
  [/^The receiver answered (\d+)$/, 'Der Empfänger hat mit $1 geantwortet'],
  [/^The connection was refused$/, 'Die Verbindung wurde abgelehnt'],
  [
    /^The connection was (?:reset|closed|closed before an answer)$/,
    'Die Verbindung wurde vor einer Antwort geschlossen',
  ],
  [/^The connection could not be made in time$/, 'Die Verbindung kam nicht rechtzeitig zustande'],
  [
    /^The host name (?:does not exist or has no address|could not be resolved)$/,
    'Der Hostname existiert nicht oder hat keine Adresse',
  ],
  [/^The target is not a public address$/, 'Das Ziel ist keine öffentliche Adresse'],
  [/^The receiver is unreachable$/, 'Der Empfänger ist nicht erreichbar'],
  [/^No answer within ([\d.]+) s$/, 'Keine Antwort innerhalb von $1 s'],
  [/^The headers of the answer are too large$/, 'Die Kopfzeilen der Antwort sind zu groß'],
  [/^The answer could not be read$/, 'Die Antwort war nicht lesbar'],
  [/^The request could not be made$/, 'Die Anfrage war nicht möglich'],
  [/^The service stopped during the attempt$/, 'Der Dienst wurde während des Versuchs beendet'],
  [
    /^The TLS certificate or connection is not acceptable \((.+)\)$/,
    'Das TLS-Zertifikat oder die Verbindung ist nicht annehmbar ($1)',
  ],
  [
    /^A company(?: that is not verified)? can have (\d+) webhook deliveries a day \(UTC\): send it again from (.+) on$/,
    'Ihre Firma kann am Tag (UTC) höchstens $1 Webhook-Zustellungen haben: Senden Sie es ab $2 noch einmal',
  ],
  [/^The mail server did not answer in time$/, 'Der Mailserver hat nicht rechtzeitig geantwortet'],
  [/^The mail server could not be used.*$/, 'Der Mailserver war nicht zu benutzen'],
  [/^The mail server did not accept the mail$/, 'Der Mailserver hat die E-Mail nicht angenommen'],
  [/^The mail server answered (\d+)(?: to (.+))?$/, 'Der Mailserver hat mit $1 geantwortet'],
  [
    /^Not sent: in test mode .*$/,
    'Nicht gesendet: Im Testmodus gehen E-Mails nur an bestätigte Mitglieder der Firma',
  ],
  [
    /^Not sent: until the company is verified.*$/,
    'Nicht gesendet: Bis die Firma bestätigt ist, gehen E-Mails nur an ihre bestätigten Mitglieder',
  ],
  [/^Not sent: the receiver unsubscribed$/, 'Nicht gesendet: Der Empfänger hat die E-Mails abbestellt'],
  [/^Not sent: earlier mails .*$/, 'Nicht gesendet: Frühere E-Mails an diese Adresse kamen zurück'],
  [
    /^Not sent: the company has used up its mails of the day$/,
    'Nicht gesendet: Die Firma hat ihre E-Mails für heute verbraucht',
  ],
]
