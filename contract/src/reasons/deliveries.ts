import type { Entries } from './entries.ts'

/** Webhooks, mail hooks, and why a delivery or an e-mail failed. */
export const deliveries = {
  must_be_url: { en: 'must be a URL', de: 'muss eine Webadresse sein' },
  must_be_https: { en: 'must start with https://', de: 'muss mit https:// beginnen' },
  must_be_https_for_live: {
    en: 'must start with https:// to receive events of live mode',
    de: 'muss für Ereignisse des Live-Modus mit https:// beginnen',
  },
  url_has_credentials: {
    en: 'must not carry a user name or a password',
    de: 'darf keinen Benutzernamen und kein Passwort enthalten',
  },
  url_without_host: { en: 'must name a host', de: 'muss einen Hostnamen enthalten' },
  url_not_reachable: {
    en: 'must be reachable from the Internet; the operator can allow other targets with MILLSEAL_WEBHOOK_ALLOW',
    de: 'muss aus dem Internet erreichbar sein; andere Ziele kann der Betreiber mit MILLSEAL_WEBHOOK_ALLOW erlauben',
  },
  url_has_port: { en: 'must not use port {port}', de: 'darf den Port {port} nicht verwenden' },
  header_is_reserved: { en: '{name} is set by the service', de: '{name} wird vom Dienst gesetzt' },
  header_is_used_twice: { en: '{name} is used twice', de: '{name} kommt zweimal vor' },
  resource_has_no_events: {
    en: '{place}: {resource} has no events',
    de: '{place}: {resource} hat keine Ereignisse',
  },
  resource_has_no_event: {
    en: '{place}: {resource} has no event {action}',
    de: '{place}: {resource} hat kein Ereignis {action}',
  },
  mode_not_received: {
    en: '{mode} is not received by a hook of mode {hookMode}',
    de: '{mode}: Dieser Webhook hat einen anderen Modus',
  },
  listening_needs_scope: {
    en: 'Listening to these events needs the scope {scope}',
    de: 'Für diese Ereignisse brauchen Sie die Berechtigung {scope}',
  },
  secret_malformed: {
    en: 'must be base64 after the prefix whsec_',
    de: 'muss nach whsec_ aus Base64 bestehen',
  },
  hook_limit: {
    en: 'A company can have at most {most} webhooks, test and live together: delete one first',
    de: 'Eine Firma kann höchstens {most} Webhooks haben, Test und Live zusammen: Löschen Sie zuerst einen',
  },
  mail_hook_limit: {
    en: 'A company can have at most {most} mail hooks, test and live together: delete one first',
    de: 'Eine Firma kann höchstens {most} Mail-Hooks haben, Test und Live zusammen: Löschen Sie zuerst einen',
  },
  delivery_limit: {
    en: 'A company can have {most} webhook deliveries a day (UTC): send it again from {end} on',
    de: 'Ihre Firma kann am Tag (UTC) höchstens {most} Webhook-Zustellungen haben: Senden Sie es ab {end} noch einmal',
  },
  delivery_limit_of_unverified: {
    en: 'A company that is not verified can have {most} webhook deliveries a day (UTC): send it again from {end} on',
    de: 'Eine unbestätigte Firma kann am Tag (UTC) höchstens {most} Webhook-Zustellungen haben: Senden Sie es ab {end} noch einmal',
  },
  must_be_list_of_events: { en: 'must be a list of events', de: 'muss eine Liste von Ereignissen sein' },

  receiver_answered: {
    en: 'The receiver answered {status}',
    de: 'Der Empfänger hat mit {status} geantwortet',
  },
  receiver_redirected: {
    en: 'The receiver answered {status}: redirects are not followed',
    de: 'Der Empfänger hat mit {status} geantwortet: Weiterleitungen wird nicht gefolgt',
  },
  connection_refused: { en: 'The connection was refused', de: 'Die Verbindung wurde abgelehnt' },
  connection_reset: {
    en: 'The connection was reset',
    de: 'Die Verbindung wurde vor einer Antwort geschlossen',
  },
  connection_closed: {
    en: 'The connection was closed',
    de: 'Die Verbindung wurde vor einer Antwort geschlossen',
  },
  connection_closed_early: {
    en: 'The connection was closed before an answer',
    de: 'Die Verbindung wurde vor einer Antwort geschlossen',
  },
  connection_too_slow: {
    en: 'The connection could not be made in time',
    de: 'Die Verbindung kam nicht rechtzeitig zustande',
  },
  host_without_address: {
    en: 'The host name does not exist or has no address',
    de: 'Der Hostname existiert nicht oder hat keine Adresse',
  },
  host_not_resolved: {
    en: 'The host name could not be resolved',
    de: 'Der Hostname existiert nicht oder hat keine Adresse',
  },
  target_not_public: {
    en: 'The target is not a public address',
    de: 'Das Ziel ist keine öffentliche Adresse',
  },
  receiver_unreachable: { en: 'The receiver is unreachable', de: 'Der Empfänger ist nicht erreichbar' },
  no_answer_within: { en: 'No answer within {seconds} s', de: 'Keine Antwort innerhalb von {seconds} s' },
  answer_headers_too_large: {
    en: 'The headers of the answer are too large',
    de: 'Die Kopfzeilen der Antwort sind zu groß',
  },
  answer_unreadable: { en: 'The answer could not be read', de: 'Die Antwort war nicht lesbar' },
  request_failed: { en: 'The request could not be made', de: 'Die Anfrage war nicht möglich' },
  service_stopped: {
    en: 'The service stopped during the attempt',
    de: 'Der Dienst wurde während des Versuchs beendet',
  },
  tls_not_acceptable: {
    en: 'The TLS certificate or connection is not acceptable ({code})',
    de: 'Das TLS-Zertifikat oder die Verbindung ist nicht annehmbar ({code})',
  },

  mail_server_silent: {
    en: 'The mail server did not answer in time',
    de: 'Der Mailserver hat nicht rechtzeitig geantwortet',
  },
  mail_server_unusable: {
    en: 'The mail server could not be used ({why})',
    de: 'Der Mailserver war nicht zu benutzen ({why})',
  },
  mail_not_accepted: {
    en: 'The mail server did not accept the mail',
    de: 'Der Mailserver hat die E-Mail nicht angenommen',
  },
  mail_server_answered: {
    en: 'The mail server answered {status}',
    de: 'Der Mailserver hat mit {status} geantwortet',
  },
  mail_server_answered_to: {
    en: 'The mail server answered {status} to {command}',
    de: 'Der Mailserver hat auf {command} mit {status} geantwortet',
  },
  mail_not_delivered: {
    en: 'The mail provider could not deliver the mail',
    de: 'Der Mail-Anbieter konnte die E-Mail nicht zustellen',
  },
  mail_id_invalid: { en: 'The id of this mail is invalid', de: 'Die ID dieser E-Mail ist ungültig' },
  mail_recipients: {
    en: 'A mail has from 1 to {most} recipients',
    de: 'Eine E-Mail hat 1 bis {most} Empfänger',
  },
  mail_picture_id_invalid: {
    en: 'The content id of a picture is invalid',
    de: 'Ein Bild dieser E-Mail hat eine ungültige ID',
  },
  mail_address_invalid: {
    en: 'An address of this mail is not a single mail address',
    de: 'Eine Adresse dieser E-Mail ist keine einzelne E-Mail-Adresse',
  },
  not_sent_test_mode: {
    en: 'Not sent: in test mode only confirmed members of the company get mails',
    de: 'Nicht gesendet: Im Testmodus gehen E-Mails nur an bestätigte Mitglieder der Firma',
  },
  not_sent_unreviewed: {
    en: 'Not sent: until the company is verified, only its confirmed members get mails',
    de: 'Nicht gesendet: Bis die Firma bestätigt ist, gehen E-Mails nur an ihre bestätigten Mitglieder',
  },
  not_sent_unsubscribed: {
    en: 'Not sent: the receiver unsubscribed',
    de: 'Nicht gesendet: Der Empfänger hat die E-Mails abbestellt',
  },
  not_sent_bounced: {
    en: 'Not sent: earlier mails to this address bounced',
    de: 'Nicht gesendet: Frühere E-Mails an diese Adresse kamen zurück',
  },
  not_sent_quota: {
    en: 'Not sent: the company has used up its mails of the day',
    de: 'Nicht gesendet: Die Firma hat ihre E-Mails für heute verbraucht',
  },
} as const satisfies Entries
