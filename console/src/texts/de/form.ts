import type { Texts } from '../languages.ts'

export const texts: Texts['form'] = {
  title: 'Neues Zeugnis',
  intro:
    'Füllen Sie ein Zeugnis so aus, wie es auf dem Papier steht. Ihre Eingaben bleiben auf diesem Computer, bis Sie es notarisieren.',
  needsCompany: 'Zeugnisse gehören zu einer Firma. Legen Sie Ihre zuerst unter „Erste Schritte“ an.',
  noSuchDraft:
    'Dieser Entwurf ist nicht auf diesem Computer. Er wurde gelöscht, notarisiert oder in einem anderen Browser geschrieben.',
  notBegun: 'Das Formular wurde nicht geöffnet',
  kind: 'Art des Zeugnisses',
  earlierVersions: 'Frühere Fassungen der Schemas',
  drafts: 'Entwürfe',
  draftsHint: 'Nur auf diesem Computer gespeichert.',
  untitled: 'Ohne Nummer',
  deleteDraft: 'Entwurf löschen',
  deleteConsequence: 'Ihre Eingaben gehen verloren. Notarisierte Zeugnisse bleiben, wie sie sind.',
  kept: (time) => `Entwurf auf diesem Computer gespeichert, ${time}`,
  notKept:
    'Dieser Browser hat keinen Platz für den Entwurf. Löschen Sie alte Entwürfe und schließen Sie diese Seite nicht.',
  groups: {
    Head: 'Dokument',
    Parties: 'Beteiligte',
    Attachments: 'Anhänge',
    FurtherData: 'Weitere Angaben',
  },
  languages: 'Sprachen des Zeugnisses',
  add: 'Hinzufügen',
  addParts: (names) => `Hinzufügen: ${names}`,
  andMore: (more) => ` und ${more} weitere`,
  addTable: 'Prüfung hinzufügen',
  addRow: 'Zeile hinzufügen',
  remove: 'Entfernen',
  columns: 'Spalten und Grenzwerte',
  newColumn: (name) => `Neu: ${name}`,
  row: (row) => `Zeile ${row}`,
  element: (name, position) => `${name} ${position}`,
  place: (column, row) => `${column}, ${row}`,
  fillIn: (company) => `${company} eintragen`,
  choose: 'Auswählen',
  choices: { true: 'Ja', false: 'Nein' },
  oneALine: 'Je Zeile ein Eintrag',
  attachments: {
    choose: 'Dateien auswählen',
    chooseOne: 'Datei auswählen',
    remove: (name) => `${name} entfernen`,
    size: (size) => `Zusammen höchstens ${size}, wenn der Betreiber dieses Dienstes nicht mehr erlaubt.`,
    tooLarge: (size) => `Die Dateien haben ${size}. Der Dienst lehnt das Zeugnis vielleicht ab.`,
  },
  chooseCountry: 'Land wählen',
  imageHint: 'PNG oder JPEG. Es wird auf das Zeugnis gedruckt.',
  imageNeeded:
    'PNG oder JPEG, Ihr Logo oder ein Foto Ihres Stempels. Es wird auf das Zeugnis gedruckt. Wenn Sie keines haben, machen Sie ohne Bild weiter.',
  imageLeftOut: 'Im Zeugnis steht, dass es kein Bild gibt.',
  withoutImage: 'Ohne Bild weiter',
  chooseImage: 'Bild auswählen',
  otherImage: 'Anderes Bild auswählen',
  paste: 'Aus Tabelle einfügen',
  pasteHere: 'Zellen hier einfügen',
  pasteHint: 'Mit der Kopfzeile. Dezimalkommas werden verstanden; Zeilen namens Min und Max sind Grenzwerte.',
  takeOver: 'Übernehmen',
  unknownColumn: (head) => `Keine Spalte heißt „${head}“, daher wurde sie ausgelassen.`,
  joinColumn: 'In eine Spalte übernehmen',
  noColumns:
    'Fügen Sie Ihre Tabelle mit ihrer Kopfzeile in eine Zelle ein, oder legen Sie die Spalten einzeln an.',
  page: 'Das Zeugnis, wie Ihr Kunde es sieht',
  noPage: 'Es erscheint hier, als Entwurf gekennzeichnet, bis nichts mehr fehlt, und folgt Ihren Eingaben.',
  missing: 'Bitte ausfüllen',
  notAllowed: (name) =>
    `${name} darf hier nicht stehen. Entfernen Sie die Angabe oder das, was sie ausschließt.`,
  advice: (reason) => `${reason}. Bitte prüfen.`,
  noNumber: (text) => `„${text}“ ist keine Zahl`,
  unusual: {
    no_inspector: 'Der Abnahmebeauftragte ist nicht genannt (EN 10204)',
    no_declaration: 'Die Erklärung, dass das Erzeugnis der Bestellung entspricht, fehlt (EN 10204)',
    no_order: 'Die Bestellung ist nicht genannt (EN 10204)',
    no_heat: 'Die Schmelze oder Charge der Ergebnisse ist nicht genannt (EN 10204)',
  },
  wrong: {
    number: 'Bitte eine Zahl eingeben, zum Beispiel 0,17',
    whole: 'Bitte eine ganze Zahl eingeben, zum Beispiel 10',
    email: 'Bitte eine E-Mail-Adresse eingeben, zum Beispiel qualitaet@werk.example',
    date: 'Bitte ein Datum eingeben, zum Beispiel 2026-01-31',
    address: 'Bitte eine Webadresse eingeben, die mit https:// beginnt',
    choice: 'Bitte einen Eintrag der Liste wählen',
    pattern: (example) => `Das hat nicht die verlangte Form${example === undefined ? '' : `: ${example}`}`,
    tooShort: (count) => `Bitte mindestens ${count} Zeichen eingeben`,
    tooLong: (count) => `Bitte höchstens ${count} Zeichen eingeben`,
    tooFew: (count) => `Mindestens ${count} ${count === 1 ? 'Eintrag' : 'Einträge'} nötig`,
    tooMany: (count) => `Höchstens ${count} Einträge erlaubt`,
    twice: 'Derselbe Eintrag steht zweimal hier',
    atLeast: (limit) => `Bitte ${limit} oder mehr eingeben`,
    atMost: (limit) => `Bitte ${limit} oder weniger eingeben`,
    other: (reason) => `Der Wert ${reason}`,
  },
  identity: 'Identität',
  identityName: (account, index) => `Abteilung ${account}, Schlüssel ${index}`,
  noIdentity:
    'Zum Notarisieren brauchen Sie eine Identität. Legen Sie zuerst eine an; der Entwurf bleibt hier.',
  noPublicIdentity:
    'Der Live-Modus braucht eine veröffentlichte Identität. Veröffentlichen Sie zuerst eine; der Entwurf bleibt hier.',
  toKeys: 'Zu den Schlüsseln',
  mayNot:
    'Sie dürfen die Zeugnisse dieser Firma lesen, aber nicht notarisieren. Fragen Sie einen Administrator der Firma.',
  notChecked: 'Das Zeugnis wurde nicht geprüft',
  notNotarized: 'Das Zeugnis wurde nicht notarisiert',
  alreadyThere: 'Genau dieses Zeugnis steht schon im Ledger. Geben Sie dem neuen eine andere Nummer.',
  unusualValues: (names) => {
    const more = names.length > 3 ? ` und ${names.length - 3} weitere` : ''
    return `Ungewöhnlich: ${names.slice(0, 3).join(', ')}${more}. Sie können trotzdem notarisieren.`
  },
  left: (missing, wrong, isReady) => {
    if (isReady) return 'Nichts fehlt'
    const parts = [
      missing > 0 ? `${missing} ${missing === 1 ? 'Feld' : 'Felder'} auszufüllen` : undefined,
      wrong > 0 ? `${wrong} ${wrong === 1 ? 'Stelle' : 'Stellen'} zu korrigieren` : undefined,
    ].filter((part) => part !== undefined)
    return parts.length === 0 ? 'Wird geprüft …' : parts.join(', ')
  },
  notarize: 'Notarisieren',
  compare: 'Beide vergleichen',
  awaitsRelease:
    'Eingereicht. Es wird notarisiert und gemailt, sobald ein anderer Freigeber oder Administrator es freigibt.',
  steps: {
    accepted: 'Angenommen',
    running: 'Gesetzt und signiert',
    notarized: 'Ins Ledger eingetragen',
  },
  recordedAt: (time) => `Eingetragen am ${time}`,
  mailsTo: (addresses) =>
    addresses === '' ? 'Es wird keine E-Mail verschickt.' : `E-Mails gehen an ${addresses}.`,
  failed: 'Die Notarisierung ist fehlgeschlagen',
  backToForm: 'Zurück zum Formular',
  toCertificate: 'Zeugnis öffnen',
  another: 'Neues Zeugnis wie dieses',
}
