import type { Texts } from '../languages.ts'

export const texts: Texts['start'] = {
  title: 'Erste Schritte',
  intro:
    'Was bis zum ersten Zeugnis noch fehlt. Jede Zeile führt zu ihrer Seite; erledigte Abschnitte sind zugeklappt.',
  done: 'Erledigt',
  next: 'Als Nächstes',
  waiting: 'In Prüfung',
  open: 'Offen',
  groups: {
    account: ['Sie und Ihre Firma', ''],
    test: ['Im Testmodus ausprobieren', 'Sofort und ohne Prüfung. Nichts davon ist ein gültiges Zeugnis.'],
    live: [
      'Gültige Zeugnisse ausstellen',
      'Der Live-Modus braucht eine bestätigte Firma und einen zweiten Faktor.',
    ],
  },
  steps: {
    emailConfirmed: [
      'E-Mail-Adresse bestätigen',
      'Öffnen Sie den Link in der E-Mail, die wir Ihnen geschickt haben.',
    ],
    companyCreated: [
      'Firma anlegen',
      'Mit ihrer Umsatzsteuer-ID. Das Register füllt Name und Anschrift aus.',
    ],
    companyVerified: [
      'Firma prüfen lassen',
      'Der Betreiber dieses Dienstes vergleicht sie mit dem Register für Umsatzsteuer-IDs. Das Ergebnis bekommen Sie per E-Mail.',
    ],
    mfaEnabled: ['Zweiten Faktor einrichten', 'Eine App auf dem Telefon. Der Live-Modus braucht ihn.'],
    wallet: [
      'Wallet anlegen',
      'Es enthält die Schlüssel der Firma. Bewahren Sie seine Wörter auf Papier auf.',
    ],
    identity: ['Identität anlegen', 'Der Schlüssel, der notarisiert, zum Beispiel einer je Werk.'],
    published: [
      'Eine Identität veröffentlichen',
      'Ab dann sieht jeder, der ein Zeugnis prüft, den Namen Ihrer Firma.',
    ],
    certificate: [
      'Das erste Zeugnis notarisieren',
      'Aus einer Datei Ihres ERP-Systems oder mit dem Formular.',
    ],
  },
  allDone: 'Alles ist eingerichtet.',
  toCertificates: 'Zu den Zeugnissen',
}
