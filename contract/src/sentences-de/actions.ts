import type { Sentences } from '../in-words.ts'

/** Why something could not be done. */
export const actions: Sentences = [
  [/^\/wallet does not exist$/, 'Dieses Wallet gibt es nicht'],
  [
    /^Another wallet with the same mnemonic already has this key: use another account$/,
    'Ein anderes Wallet mit denselben Wörtern hat diesen Schlüssel schon: Verwenden Sie ein anderes Konto',
  ],
  [/^must be the did:key of another Ed25519 key$/, 'muss die did:key eines anderen Ed25519-Schlüssels sein'],
  [
    /^cannot be changed: this identity was published with (.+?)\. Publish another identity$/,
    'lässt sich nicht ändern: Diese Identität wurde mit $1 veröffentlicht. Veröffentlichen Sie eine andere Identität',
  ],
  [/^The language must be one of: (.+)$/, 'Möglich sind diese Sprachen: $1'],
  [
    /^must be 12 to 24 words of the (\S+) word list with a valid checksum$/,
    'müssen 12 bis 24 Wörter der Wortliste $1 sein, deren letztes zu den anderen passt',
  ],
  [/^must not be in the future$/, 'darf nicht in der Zukunft liegen'],
  [
    /^You belong to this company: send its id in the header company$/,
    'Sie gehören zu dieser Firma: Tun Sie das in der Firma, nicht als Betreiber',
  ],
  [/^The log of (\S+) mode has no operator$/, 'Das Log hat in diesem Modus keinen Betreiber'],
  [/^must be (\d+)$/, 'muss $1 sein'],
  [/^coin type (\S+) is inactive$/, 'Der Coin-Typ $1 ist nicht aktiv'],
  [/^is not a coin type of this server$/, 'ist kein Coin-Typ dieses Servers'],
  [/^No ledger node is active in (\S+) mode$/, 'In diesem Modus ist kein Knoten des Ledgers aktiv'],
  [
    /^must be "(.+)" or a URL starting with https:\/\/ or http:\/\/$/,
    'muss „$1“ sein oder eine Adresse, die mit https:// oder http:// beginnt',
  ],
  [
    /^must not contain credentials, a query or a fragment$/,
    'darf keine Zugangsdaten, keine Abfrage und kein Fragment enthalten',
  ],
  [/^must be a URL$/, 'muss eine Webadresse sein'],
  [/^must start with https:\/\/$/, 'muss mit https:// beginnen'],
  [
    /^must start with https:\/\/ to receive events of live mode$/,
    'muss für Ereignisse des Live-Modus mit https:// beginnen',
  ],
  [/^must not carry a user name or a password$/, 'darf keinen Benutzernamen und kein Passwort enthalten'],
  [/^must name a host$/, 'muss einen Hostnamen enthalten'],
  [/^must be reachable from the Internet$/, 'muss aus dem Internet erreichbar sein'],
  [/^must not use port (\d+).*$/, 'darf den Port $1 nicht verwenden'],
  [/^(?:name )?(\S+) is set by the service$/, '$1 wird vom Dienst gesetzt'],
  [/^(?:name )?(\S+) is used twice$/, '$1 kommt zweimal vor'],
  [/^(\S+) is not received by a hook of mode (\S+)$/, '$1: Dieser Webhook hat einen anderen Modus'],
  [
    /^Listening to these events needs the scope (.+)$/,
    'Für diese Ereignisse brauchen Sie die Berechtigung $1',
  ],
  [/^must be base64 after the prefix whsec_$/, 'muss nach whsec_ aus Base64 bestehen'],
  [
    /^A company can have at most (\d+) webhooks, test and live together: delete one first$/,
    'Eine Firma kann höchstens $1 Webhooks haben, Test und Live zusammen: Löschen Sie zuerst einen',
  ],
  [
    /^A company can have at most (\d+) mail hooks, test and live together: delete one first$/,
    'Eine Firma kann höchstens $1 Mail-Hooks haben, Test und Live zusammen: Löschen Sie zuerst einen',
  ],
  [
    /^A company can have at most (\d+) applications, test and live together: delete one first$/,
    'Eine Firma kann höchstens $1 Anwendungen haben, Test und Live zusammen: Löschen Sie zuerst eine',
  ],
  [
    /^A company can have at most (\d+) long-lived tokens, test and live together: revoke one first$/,
    'Eine Firma kann höchstens $1 langlebige Tokens haben, Test und Live zusammen: Widerrufen Sie zuerst eines',
  ],
  [/^\/name or \/description is required$/, 'Ein Name oder eine Beschreibung fehlt'],
  [
    /^(?:\S+|A company.*) can submit (\d+) certificates a day \(UTC\): submit it again from (.+) on$/,
    'Ihre Firma kann am Tag (UTC) höchstens $1 Zeugnisse einreichen: Reichen Sie es ab $2 noch einmal ein',
  ],
  [
    /^It has more than (\d+) minutes of work waiting: submit it again in (\d+) s$/,
    'Für Ihre Firma wartet Arbeit für mehr als $1 Minuten: Reichen Sie es in $2 s noch einmal ein',
  ],
  [
    /^More than (\d+) minutes of work wait: submit it again in (\d+) s$/,
    'Arbeit für mehr als $1 Minuten wartet: Reichen Sie es in $2 s noch einmal ein',
  ],
  [
    /^The ledger of \S+ mode records nothing, and certificates wait for it for more than (\d+) minutes: submit it again in (\d+) s$/,
    'Das Ledger trägt nichts ein, und Zeugnisse warten seit mehr als $1 Minuten: Reichen Sie es in $2 s noch einmal ein',
  ],
  [/^The certificate was submitted again since$/, 'Das Zeugnis wurde inzwischen noch einmal eingereicht'],
  [
    /^\/replacedBy must be another certificate that the same company notarized .+$/,
    'Das neue Zeugnis muss ein anderes derselben Firma im selben Modus sein und fertig notarisiert',
  ],
  [
    /^\/replacedBy must be a certificate that is not withdrawn or replaced itself$/,
    'Das neue Zeugnis darf selbst nicht zurückgezogen oder ersetzt sein',
  ],
  [
    /^\/replacedBy must be a certificate that is not being replaced by this one$/,
    'Das neue Zeugnis darf nicht gerade durch dieses ersetzt werden',
  ],
  [
    /^The files from this address take too much processor time: try again in (\d+) s$/,
    'Die Dateien von dieser Adresse brauchen zu viel Rechenzeit: Versuchen Sie es in $1 s noch einmal',
  ],
  [
    /^This session was opened with one factor: sign in again$/,
    'Diese Sitzung wurde mit einem Faktor begonnen: Melden Sie sich neu an',
  ],
  [/^Needs a .+ within the last (\d+) minutes$/, 'Ihre Anmeldung muss jünger als $1 Minuten sein'],
  [
    /^The session of this browser has ended: sign in again$/,
    'Ihre Sitzung ist beendet: Melden Sie sich neu an',
  ],
  [/^Try again in (\d+) s$/, 'Versuchen Sie es in $1 s noch einmal'],
  [/^is not among the failed jobs$/, 'gehört zu keiner fehlgeschlagenen Aufgabe mehr'],
  [
    /^SMTP_URL is set, so mails are not saved as files$/,
    'SMTP_URL ist gesetzt, deshalb werden E-Mails nicht als Dateien gespeichert',
  ],
  [/^This release has no jobs of the kind (.+)$/, 'Diese Version kennt keine Aufgaben der Art $1'],
  [/^no answer within (\d+) ms$/, 'keine Antwort innerhalb von $1 ms'],
  [/^The network cannot be reached: (.+)$/, 'Das Netz ist nicht erreichbar: $1'],
  [/^The network cannot be trusted: (.+)$/, 'Den Antworten des Netzes ist nicht zu trauen: $1'],
  [/^The network answers (\d+): (.+)$/, 'Das Netz antwortet mit $1: $2'],
  [/^The network has no API at this address$/, 'Unter dieser Adresse antwortet kein Netz'],
  [/^The network sent more than (\d+) bytes$/, 'Das Netz hat mehr als $1 Bytes gesendet'],
  [
    /^The network accepted transaction (\S+) but does not return it yet$/,
    'Das Netz hat die Transaktion $1 angenommen, zeigt sie aber noch nicht',
  ],
  [
    /^The job took too long, or its process ended$/,
    'Die Aufgabe hat zu lange gedauert, oder ihr Prozess wurde beendet',
  ],
  [/^The job queue did not answer in time$/, 'Die Warteschlange hat nicht rechtzeitig geantwortet'],
  [/^The database did not answer in time$/, 'Die Datenbank hat nicht rechtzeitig geantwortet'],
  [/^The renderer is closed$/, 'Der Dienst wurde gerade beendet'],
  [/^\S+ documents are already waiting$/, 'Es warten schon zu viele Dokumente'],
  [/^The id of this mail is invalid$/, 'Die ID dieser E-Mail ist ungültig'],
  [/^A mail has from 1 to (\d+) recipients$/, 'Eine E-Mail hat 1 bis $1 Empfänger'],
  [/^The content id of a picture is invalid$/, 'Ein Bild dieser E-Mail hat eine ungültige ID'],
  [
    /^An address of this mail is not a single mail address$/,
    'Eine Adresse dieser E-Mail ist keine einzelne E-Mail-Adresse',
  ],
  [
    /^The PKCS#11 token did not open within (\d+) ms$/,
    'Das PKCS#11-Token wurde nicht innerhalb von $1 ms geöffnet',
  ],
  [
    /^The signer process (?:did not start|ended .+|was stopped|did not answer .+)$/,
    'Der Prozess, der signiert, hat nicht geantwortet',
  ],
]
