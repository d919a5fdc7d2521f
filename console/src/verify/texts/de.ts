import type { Texts } from './texts.ts'

const kinds = {
  withdrawn: 'Zurückgezogen',
  replaced: 'Ersetzt',
  revoked: 'Mit widerrufenem Schlüssel signiert',
}

const noMaterial = 'Es beschreibt kein echtes Material.'

const says: Texts['says'] = {
  genuine: 'ECHT',
  unknownIssuer: 'UNVERÄNDERT, ABER AUSSTELLER UNBEKANNT',
  unknownStatus: 'UNVERÄNDERT, ABER NIEMAND SAGT, OB ES NOCH GILT',
  test: 'TEST – KEIN ECHTES MATERIAL',
  refused: 'UNVERÄNDERT, ABER NICHT VON EINEM AUSSTELLER, DEN SIE ANERKENNEN',
  withdrawn: kinds.withdrawn.toUpperCase(),
  revoked: kinds.revoked.toUpperCase(),
  altered: 'VERÄNDERT ODER GEFÄLSCHT',
  unchecked: 'KONNTE NICHT GEPRÜFT WERDEN',
  notFound: 'NICHT GEFUNDEN',
}

const authors = {
  issuer: 'vom Aussteller',
  operator: 'vom Betreiber des Ledgers',
  recovery: 'mit dem Wiederherstellungsschlüssel des Ausstellers',
}

const correction: Texts['correction'] = ({ kind, by, time, reason, replacedBy, since }) => {
  const why = `${authors[by]} am ${time}: ${reason}`
  if (kind === 'withdrawn') return `Zurückgezogen ${why}`
  if (kind === 'replaced') return `Ersetzt durch das Zeugnis der Transaktion ${replacedBy}, ${why}`
  return `Der Schlüssel, der es signiert hat, ist ab ${since} widerrufen, ${why}`
}

export const de: Texts = {
  name: 'Deutsch',
  locale: 'de-DE',
  title: 'Ein Zeugnis prüfen',
  drop: 'Wählen Sie die PDF- oder JSON-Datei, die Sie erhalten haben, oder ziehen Sie sie hierher',
  dropMore: 'Auch mehrere Dateien, ein Ordner, eine Zip-Datei oder ein Nachweispaket.',
  folder: 'Einen Ordner wählen',
  privacy: 'Ihre Dateien verlassen diesen Browser nie. Er fragt den Dienst nur nach ihren Hashwerten.',
  modeLabel: 'Notarisiert im',
  modes: { live: 'Live-Modus', test: 'Testmodus' },
  camera: 'Code scannen',
  cameraHint: 'Nur Papier? Scannen Sie den QR-Code mit der Kamera-App Ihres Telefons.',
  checking: (done) => `Prüfung läuft … ${done}`,
  again: 'Weitere prüfen',
  print: 'Drucken oder als PDF speichern',
  csv: 'Als CSV speichern',
  bundle: 'Nachweispaket speichern',
  bundleReady: 'Das Nachweispaket ist bereit. Wählen Sie nun das Zeugnis.',
  policy: 'Eigene Vorgaben wählen',
  policyUsed: (name) => `Es gelten Ihre Vorgaben ${name}.`,
  byPolicy: (name) => `NACH IHREN VORGABEN ${name}`,
  stopUsing: 'Nicht mehr verwenden',
  ignored: (name, whom) =>
    `Nicht beachtet: Mit den Dateien kamen die Vorgaben ${name}. Sie würden ${whom} vertrauen.`,
  useAnyway: 'Als meine verwenden',
  lookingUp: 'Der Code wird nachgeschlagen …',

  offline:
    'Der Dienst ist nicht erreichbar. Versuchen Sie es später, oder wählen Sie die Datei mit ihrem Nachweispaket.',
  serviceFailed: (status) =>
    `Der Dienst antwortet gerade nicht (Status ${status}). Versuchen Sie es in einer Minute noch einmal.`,
  notReadable: (reason) => `Die Datei ist weder ein PDF noch ein Zeugnis in JSON: ${reason}.`,
  badPolicy: (reason) => `Die Vorgaben sind nicht brauchbar: ${reason}.`,
  twoFormats: 'Verwenden Sie diese Datei nicht: Sie ist ein PDF und zugleich etwas anderes.',
  unreadable: 'Die Datei ist beschädigt, verschlüsselt oder zu groß.',
  unasked: (asOf) =>
    `Der Dienst hat nicht geantwortet. Das beweist Ihr Nachweispaket, Stand ${asOf}, nicht aber, ob es danach zurückgezogen oder ersetzt wurde.`,

  says,
  replacedBy: (transaction) => `ERSETZT durch das Zeugnis der Transaktion ${transaction}`,
  why: {
    file: 'Diese Datei ist nicht die notarisierte.',
    proof: 'Der Nachweis zu dieser Datei ist verändert oder gefälscht.',
    unchecked: 'Für den Nachweis fehlt ein vertrauenswürdiger Schlüssel des Ledgers.',
    test: noMaterial,
    genuine: (name) => `Unverändert, seit ${name} es notarisiert hat.`,
  },
  another: {
    says: 'EIN ANDERES ZEUGNIS',
    why: 'Dies ist nicht das Zeugnis, dessen QR-Code Sie gescannt haben.',
  },
  needsBundle: 'Wählen Sie die Datei mit ihrem Nachweispaket, oder prüfen Sie sie online.',
  unknownIn: (mode) =>
    `Im ${mode} unbekannt: Die Datei wurde verändert oder hier nie notarisiert. Bitten Sie den Absender um die Originaldatei; ein Scan oder Ausdruck ist eine andere.`,
  knownElsewhere: (mode, other) =>
    `Im ${mode} unbekannt, aber im ${other} notarisiert. Wählen Sie unten ${other}.`,
  remark: (remark) => `Das Zeugnis nennt einen anderen Verkäufer als den Aussteller (${remark}).`,
  notCheckedHere: 'Nicht von Millseal geprüft: Dieser Dienst hat keinen Beleg dafür.',

  certificate: 'Zeugnis',
  heat: 'Schmelze',
  order: 'Bestellung',
  date: 'Datum',
  summaryOf: 'Laut Datei:',
  rows: {
    unchanged: {
      yes: 'Unverändert',
      no: 'Nicht die notarisierte Datei',
      unknown: 'Nicht bekannt, ob unverändert',
      same: 'Das ist die Datei, die notarisiert wurde. Kein Zeichen ist anders.',
      changed: 'Verlassen Sie sich nicht auf diese Datei.',
      meaning:
        'Der Aussteller hat einen Fingerabdruck der Datei ins Ledger eingetragen. Jede Änderung ergibt einen anderen.',
    },
    issuer: {
      by: (name) => `Von ${name}`,
      no: 'Nicht von einem Aussteller, den Sie anerkennen',
      unknown: 'Aussteller unbekannt',
      reviewed: (date, vatId) =>
        `Firma geprüft am ${date}${vatId === undefined ? '' : `, UID-Nummer ${vatId}`}`,
      policy: 'Ihre Vorgaben nennen den Schlüssel.',
      nobody: 'Niemand, dem Sie vertrauen, sagt, wem der Schlüssel gehört.',
      refused: 'Der Schlüssel steht nicht in Ihren Vorgaben.',
      meaning:
        'Einen Namen kann jeder auf ein Zeugnis schreiben, aber nur der Aussteller hat seinen Schlüssel. Der Betreiber des Ledgers bestätigt ihn erst nach einer Prüfung.',
    },
    time: {
      on: (time) => `Am ${time}`,
      unknown: 'Zeit nicht bekannt',
      where: (index, size, log) =>
        `Eintrag ${index} von ${size} im Ledger ${log}. Noch hat kein unabhängiger Zeuge die Zeit bestätigt.`,
      unconfirmed: 'Das Ledger bestätigt keine Zeit.',
      meaning: 'Das Ledger wächst nur. Der Betreiber hat die Zeit signiert.',
    },
    status: {
      yes: 'Gilt noch',
      unknown: 'Nicht bekannt, ob es noch gilt',
      asOf: (time) => `Weder zurückgezogen noch ersetzt, Stand ${time}.`,
      nobody: 'Das Ledger sagt nicht, ob es zurückgezogen oder ersetzt wurde.',
      kinds,
      meaning: 'Es kann später zurückgezogen oder ersetzt werden: Prüfen Sie dann noch einmal.',
    },
    skipped: 'Nicht geprüft: Es würde über diese Datei nichts sagen.',
  },
  meaning: 'Was heißt das?',
  technical: 'Technische Einzelheiten',
  facts: {
    issuer: 'Aussteller',
    vatId: 'UID-Nummer',
    recorded: 'Eingetragen',
    asOf: 'Stand',
    correction: 'Korrektur',
    mode: 'Modus',
    entry: 'Eintrag',
    unknown: 'nicht bekannt',
  },
  correction,
  differences: 'Abweichungen vom notarisierten Zeugnis',
  field: 'Feld',
  notarized: 'Notarisiert',
  here: 'In dieser Datei',
  inside:
    'Das PDF wurde nach dem Notarisieren verändert oder neu gespeichert. Die Daten darin sind unverändert: Vergleichen Sie damit die Seite, und bitten Sie um die Originaldatei.',
  picture: 'Die geprüfte Datei',
  report: (count) => `${count} Dateien geprüft`,
  columns: ['Datei', 'Ergebnis'],

  paper: {
    title: 'Zum Code',
    says: {
      recorded: 'EINGETRAGEN – VERGLEICHEN SIE DAS PAPIER',
      unknownIssuer: 'EINGETRAGEN, ABER AUSSTELLER UNBEKANNT',
      unknownStatus: 'EINGETRAGEN, ABER NIEMAND SAGT, OB ES NOCH GILT',
      test: says.test,
    },
    notFoundWhy:
      'Zu diesem Code steht nichts im Ledger: Das Papier ist ein Entwurf oder wurde hier nie notarisiert.',
    why: (who, isTest) =>
      `${who ?? 'Das Ledger'} hat ein Zeugnis mit diesem Code${isTest ? ' im Testmodus' : ''}${who === undefined ? '' : ' notarisiert'}`,
    noMaterial,
    replacement: 'Das Zeugnis öffnen, das es ersetzt',
    askForFile: 'Bitten Sie den Absender um die Originaldatei.',
    compare: 'Ist das das Papier in Ihrer Hand? Vergleichen Sie Aussteller und SHA-256.',
    checkFile:
      'Das gilt für den Code, nicht für das Papier in Ihrer Hand: Jeder kann ihn auf ein anderes drucken. Sicher sind Sie erst mit der Datei.',
  },
}
