import type { Mode } from '@millseal/contract'
import type { Texts } from '../languages.ts'

const files = (count: number): string => (count === 1 ? '1 Datei' : `${count} Dateien`)
const certificates = (count: number): string => (count === 1 ? '1 Zeugnis' : `${count} Zeugnisse`)

const withFindings = (count: number): string => (count === 0 ? '' : `, davon ${count} mit Befunden`)
const outcomes: Readonly<Record<Mode, string>> = {
  live: 'im Live-Modus: für immer eingetragen',
  test: 'im Testmodus: keines wird ein gültiges Zeugnis',
}
const mostShown = 3

export const texts: Texts['files'] = {
  title: 'Neues Zeugnis',
  newIntro:
    'Ziehen Sie die JSON-Dateien Ihres ERP-Systems hierher. Sie werden zuerst geprüft; notarisiert wird erst, wenn Sie es sagen.',
  dropFiles: 'JSON-Dateien hierher ziehen',
  dropFilesText: 'JSON, oder PDFs von Millseal. Eine oder Hunderte, auch ein ganzer Ordner.',
  chooseFiles: 'Dateien auswählen',
  pasteJson: 'JSON einfügen',
  pasteTitle: 'Ein Zeugnis einfügen',
  pasteLabel: 'Das Zeugnis als JSON',
  pasteAdd: 'Prüfen',
  pastedName: (time) => `Eingefügt um ${time}`,
  fillForm: 'Formular ausfüllen',
  mayNotTitle: 'Sie können hier Zeugnisse lesen',
  mayNotText:
    'Zum Notarisieren brauchen Sie die Rolle Sachbearbeiter oder Administrator. Fragen Sie einen Administrator Ihrer Firma.',
  noIdentityTitle: 'Es gibt keine Identität, die signieren kann',
  noIdentityText:
    'Ein Zeugnis wird mit einer Identität Ihrer Firma signiert. Legen Sie zuerst eine an; Ihre Dateien bleiben hier.',
  toKeys: 'Zu den Schlüsseln',
  identity: 'Identität',
  identityHint: 'Der Schlüssel, der signiert. Er gilt für alle Dateien unten.',
  identityPublic: 'öffentlich',
  identityPrivate: 'nicht öffentlich',
  identityHidden: 'Diese Identität ist nicht öffentlich: Empfänger sehen einen unbekannten Aussteller.',
  notarize: (count) => `${certificates(count)} notarisieren`,
  notarizeThis: 'Mit Befunden notarisieren …',
  notarizeDoubtful: (count) => `${certificates(count)} mit Befunden notarisieren`,
  before: (count, doubtful, mode) => `${certificates(count)}${withFindings(doubtful)}, ${outcomes[mode]}.`,
  mailedTo(addresses, mode) {
    if (mode === 'test') return 'E-Mails gehen nur an Mitglieder Ihrer Firma.'
    if (addresses.length === 0) return ''
    const more = addresses.length - mostShown
    return `Per E-Mail an ${addresses.slice(0, mostShown).join(', ')}${more > 0 ? ` und ${more} weitere` : ''}.`
  },
  unaddressed: (without, all) =>
    without === all
      ? 'Kein Empfänger bekommt eine E-Mail: Es ist keine Adresse angegeben.'
      : `${without} von ${all} nennen keine E-Mail-Adresse eines Empfängers: Nur Ihre Firma bekommt diese per E-Mail.`,
  haveRead: 'Ich habe das gelesen',
  paper: 'Papier',
  progress: (done, all) => `${done} von ${all} eingetragen`,
  checkProgress: (done, all) => `${done} von ${all} geprüft`,
  progressLabel: 'Fortschritt',
  pausedSignedOut: 'Es geht weiter, sobald Sie sich wieder angemeldet haben.',
  pausedAway: 'Der Server antwortet nicht. Es geht weiter, sobald er wieder da ist.',
  pausedLimit: (seconds) => `Der Server bittet um Geduld. Es geht in ${seconds} s weiter.`,
  otherTab: 'Die Arbeit läuft in einem anderen Tab dieses Browsers. Dieser zeigt, wie weit sie ist.',
  mayClose:
    'Sie können diesen Tab schließen. Die Dateien bleiben auf diesem Computer, und es geht weiter, wenn Sie die Seite wieder öffnen.',
  allRecorded: (count) => `${certificates(count)} eingetragen.`,
  fileStates: {
    added: 'Wartet',
    checking: 'Wird geprüft',
    unreadable: 'Nicht lesbar',
    repeated: 'Doppelt',
    invalid: 'Zu korrigieren',
    valid: 'Gültig',
    doubtful: 'Hat Befunde',
    queued: 'Wartet auf Versand',
    sending: 'Wird gesendet',
    sent: 'Wird notarisiert',
    waiting: 'Wartet auf Freigabe',
    recorded: 'Eingetragen',
    failed: 'Fehlgeschlagen',
  },
  groups: {
    all: 'Alle',
    correct: 'Zu korrigieren',
    valid: 'Gültig',
    doubtful: 'Mit Befunden',
    working: 'In Arbeit',
    recorded: 'Eingetragen',
    failed: 'Fehlgeschlagen',
  },
  fileColumns: { file: 'Datei', number: 'Nummer', state: 'Status', what: 'Was zu tun ist' },
  noAddress: 'Keine E-Mail-Adresse eines Empfängers: Nur Ihre Firma bekommt es per E-Mail.',
  sameAs: (name) => `Das ist dasselbe Zeugnis wie ${name}. Es wird nur einmal notarisiert.`,
  alreadyThere: 'Es war schon notarisiert; nichts wurde doppelt gesendet.',
  elsewhere: 'Eine andere Firma hat dieses Zeugnis notarisiert oder tut es gerade.',
  elsewhereBy: (name, date) => `${name} hat dieses Zeugnis am ${date} eingetragen.`,
  ownHint:
    'Nennt es Ihre Firma als Verkäufer, mit Ihrer geprüften Umsatzsteuer-ID, machen Sie einen eigenen Eintrag.',
  recordOwn: 'Eigenen Eintrag machen',
  moreFindings: (count) => (count === 1 ? '1 weitere Stelle' : `${count} weitere Stellen`),
  notes: (count) => (count === 1 ? '1 Hinweis, kein Fehler' : `${count} Hinweise, keine Fehler`),
  correctAgain:
    'Korrigieren Sie es dort, wo es entstanden ist, und ziehen Sie die Datei wieder hierher: Sie tritt an die Stelle dieser.',
  open: 'Öffnen',
  again: 'Noch einmal versuchen',
  allAgain: (count) => `${files(count)} noch einmal versuchen`,
  removeName: (name) => `${name} entfernen`,
  removeRecorded: 'Eingetragene entfernen',
  removeAll: 'Alle entfernen',
  removeAllTitle: 'Alle Dateien aus dieser Liste entfernen',
  removeAllConsequence:
    'Die Dateien werden von diesem Computer entfernt. Was schon gesendet ist, wird trotzdem notarisiert und bleibt unter Zeugnisse.',
  notCertificate: 'Das ist JSON, aber kein Zeugnis: Es nennt kein Schema in RefSchemaUrl.',
  isList: 'Das ist eine Liste. Jedes Zeugnis braucht eine eigene Datei.',
  unreadableAt: (reason) => `Das ist kein JSON: ${reason}`,
  isForeignPdf:
    'Das ist ein PDF, und es enthält keine Daten von Millseal. Legen Sie die Daten ab, aus denen es entstand (JSON), oder füllen Sie das Formular aus. Ein erhaltenes Zeugnis prüfen Sie unter Verifizieren.',
  isPicture:
    'Das ist ein Bild. Ein Foto oder Scan enthält keine Daten eines Zeugnisses: Legen Sie die Daten ab (JSON), oder füllen Sie das Formular aus.',
  unknownSchema: (nearest) =>
    `Dieser Dienst kennt diese Art von Zeugnis nicht.${nearest === undefined ? '' : ` Am ähnlichsten ist ihr ${nearest}.`} Bitten Sie den Betreiber des Dienstes, ihr Schema hinzuzufügen, oder füllen Sie das Formular aus.`,
  noFiles: 'Nichts wurde hinzugefügt: Es waren keine Dateien dabei.',
  storageFailed:
    'Dieser Browser behält hier keine Dateien (privates Fenster?). Schließen Sie den Tab erst, wenn alle eingetragen sind.',
  wholeCertificate: 'Das Zeugnis',
}
