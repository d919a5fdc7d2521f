import type { Texts } from './texts.ts'

const kinds = {
  withdrawn: 'Zurückgezogen',
  replaced: 'Ersetzt',
  revoked: 'Mit widerrufenem Schlüssel signiert',
}

const noMaterial = 'Es beschreibt kein echtes Material.'

const says: Texts['says'] = {
  genuine: 'Echt',
  unknownIssuer: 'Unverändert, aber Aussteller unbekannt',
  unknownStatus: 'Unverändert, aber niemand sagt, ob es noch gilt',
  unconfirmed: 'Unverändert, aber das sagt nur der Betreiber',
  oldStatus: 'Unverändert, aber mit altem Stand',
  test: 'Test – kein echtes Material',
  refused: 'Unverändert, aber nicht von einem Aussteller, den Sie anerkennen',
  withdrawn: kinds.withdrawn,
  revoked: kinds.revoked,
  altered: 'Verändert oder gefälscht',
  unchecked: 'Konnte nicht geprüft werden',
  notFound: 'Nicht gefunden',
}

const authors = {
  issuer: 'vom Aussteller',
  operator: 'vom Betreiber des Ledgers',
  recovery: 'mit dem Wiederherstellungsschlüssel des Ausstellers',
}

const correction: Texts['correction'] = ({ kind, by, time, reason, replacedBy, since }) => {
  const why = `${authors[by]} am ${time}: ${reason}`
  if (kind === 'withdrawn') return `Zurückgezogen ${why}`
  if (kind === 'replaced') return `Ersetzt durch ein anderes Zeugnis, ${why} (Transaktion ${replacedBy})`
  return `Der Schlüssel, der es signiert hat, ist ab ${since} widerrufen, ${why}`
}

export const de: Texts = {
  name: 'Deutsch',
  locale: 'de-DE',
  title: 'Ein Zeugnis prüfen',
  dropFiles: 'PDF- oder JSON-Datei wählen oder hierher ziehen',
  dropMore: 'Auch mehrere Dateien, ein Ordner, eine Zip-Datei oder ein Nachweispaket.',
  chooseFolder: 'Einen Ordner wählen',
  staysHere: 'Ihre Dateien bleiben in diesem Browser. Er fragt den Dienst nur nach ihren Hashwerten.',
  modes: { live: 'Live-Modus', test: 'Testmodus' },
  scanCode: 'Code scannen',
  cameraHint: 'Nur Papier? Scannen Sie den QR-Code mit Ihrem Telefon.',
  nowChecking: (done) => `Prüfung läuft … ${done}`,
  checkAnother: 'Weitere prüfen',
  printPage: 'Drucken',
  saveCsv: 'Als CSV speichern',
  saveBundle: 'Nachweispaket speichern',
  bundleReady: 'Das Nachweispaket ist bereit. Wählen Sie nun das Zeugnis.',
  policy: 'Eigene Vorgaben wählen',
  policyUsed: (name) => `Es gelten Ihre Vorgaben ${name}.`,
  byPolicy: (name) => `NACH IHREN VORGABEN ${name}`,
  stopUsing: 'Nicht mehr verwenden',
  ignored: (name, whom) =>
    `Nicht beachtet: Mit den Dateien kamen die Vorgaben ${name}. Sie würden ${whom} vertrauen.`,
  useAnyway: 'Als meine verwenden',
  lookingUp: 'Der Code wird nachgeschlagen …',

  notReached:
    'Der Dienst ist nicht erreichbar. Versuchen Sie es noch einmal, oder wählen Sie die Datei mit ihrem Nachweispaket.',
  serviceFailed: (status) => `Der Dienst antwortet nicht (Status ${status}). Versuchen Sie es noch einmal.`,
  notReadable: (reason) => `Die Datei ist weder ein PDF noch ein Zeugnis in JSON: ${reason}.`,
  badPolicy: (reason) => `Die Vorgaben sind nicht brauchbar: ${reason}.`,
  twoFormats: (one, other) => `Verwenden Sie diese Datei nicht: Sie ist ${one} und zugleich ${other}.`,
  fileUnreadable: 'Die Datei ist beschädigt, verschlüsselt oder zu groß.',
  unasked: (asOf, from) =>
    `${from === undefined ? 'Der Dienst hat nicht geantwortet. Ihr Nachweispaket' : `Der Dienst hat keine Antwort. Das Nachweispaket von ${from}`} reicht bis ${asOf}.`,
  askNodes:
    'Diese Knoten haben vielleicht das Nachweispaket. Speichern Sie es, und wählen Sie es hier mit der Datei:',

  says,
  why: {
    file: 'Diese Datei ist nicht die notarisierte.',
    proof: 'Der Nachweis zu dieser Datei ist verändert oder gefälscht.',
    unchecked: 'Ein vertrauenswürdiger Schlüssel des Ledgers fehlt.',
    test: noMaterial,
    genuine: (name) => `Unverändert, seit ${name} es notarisiert hat.`,
    itself: 'Der Betreiber ist selbst der Aussteller: Niemand sonst hat ihn geprüft.',
  },
  changed: {
    says: 'Verändert. Nicht annehmen.',
    why: (name, number, isValues) => {
      const original = number === undefined ? 'das Original' : `das Zeugnis ${number}`
      return `${name ?? 'Jemand'} hat ${original} notarisiert, aber nicht ${isValues ? 'mit diesen Werten' : 'diese Datei'}.`
    },
    action: 'Sperren Sie das Material.',
    original: (answer) => `Das Original: ${answer}`,
  },
  another: {
    says: 'EIN ANDERES ZEUGNIS',
    why: 'Nicht das Zeugnis, dessen QR-Code Sie gescannt haben.',
  },
  needsBundle: 'Wählen Sie die Datei mit ihrem Nachweispaket.',
  unknownFile: 'Zu dieser Datei steht nichts im Ledger: Sie wurde verändert oder hier nie notarisiert.',
  askForOriginal: 'Bitten Sie den Absender um die Originaldatei. Ein Scan oder Ausdruck genügt nicht.',
  remarkOn: (remark) => `Anderer Verkäufer: ${remark}.`,

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
      same: 'Kein Zeichen ist anders.',
    },
    issuer: {
      by: (name) => `Von ${name}`,
      no: 'Nicht von einem Aussteller, den Sie anerkennen',
      unknown: 'Aussteller unbekannt',
      reviewed: (date, vatId) =>
        `Firma geprüft am ${date}${vatId === undefined ? '' : `, Umsatzsteuer-ID ${vatId}`}`,
      policy: 'Ihre Vorgaben nennen den Schlüssel.',
      nobody: 'Niemand, dem Sie vertrauen, kennt den Schlüssel.',
      refused: 'Der Schlüssel steht nicht in Ihren Vorgaben.',
    },
    time: {
      on: (time) => `Am ${time}`,
      unknown: 'Zeit nicht bekannt',
      unconfirmed: 'Das Ledger bestätigt keine Zeit.',
      confirmed: 'Signiert vom Betreiber des Ledgers.',
    },
    status: {
      yes: 'Gilt noch',
      unknown: 'Nicht bekannt, ob es noch gilt',
      asOf: (time) => `Weder zurückgezogen noch ersetzt, Stand ${time}.`,
      old: (time) => `Stand ${time}: Fragen Sie noch einmal.`,
      nobody: 'Das Ledger sagt es nicht.',
      kinds,
    },
  },
  confirmation: {
    nodes: (count) =>
      count === 1 ? 'Ein unabhängiger Knoten hält es' : `${count} unabhängige Knoten halten es`,
    witnesses: (count, of) => `${count} von ${of} haben es bezeugt`,
    operator: 'Das sagt nur der Betreiber',
    by: (names, before) => `${names}, vor ${before}`,
    alone: 'Was zurückgezogen wurde, sagt nur der Betreiber',
    missing: (count, of) => `${count} von ${of} haben signiert: zu wenige für Ihre Vorgaben`,
  },
  technicalDetails: 'Technische Einzelheiten',
  facts: {
    issuer: 'Aussteller',
    vatId: 'Umsatzsteuer-ID',
    recorded: 'Eingetragen',
    asOf: 'Stand',
    correction: 'Korrektur',
    mode: 'Modus',
    entry: 'Eintrag',
    unknown: 'nicht bekannt',
  },
  correction,
  fieldName: 'Feld',
  notarized: 'Original',
  inThisFile: 'In dieser Datei',
  insidePdf: 'Die Daten im PDF sind unverändert: Vergleichen Sie damit die Seite.',
  pictureTitle: 'Die geprüfte Datei',
  filesChecked: (count) => `${count} Dateien geprüft`,
  columnNames: ['Datei', 'Ergebnis'],

  paper: {
    title: 'Zum Code',
    says: {
      recorded: 'Eingetragen – vergleichen Sie das Papier',
      unknownIssuer: 'Eingetragen, aber Aussteller unbekannt',
      unknownStatus: 'Eingetragen, aber niemand sagt, ob es noch gilt',
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
    checkFile: 'Jeder kann diesen Code auf ein anderes Papier drucken. Sicher sind Sie erst mit der Datei.',
  },
}
