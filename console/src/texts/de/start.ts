import type { Texts } from '../languages.ts'

export const texts: Texts['start'] = {
  title: 'Erste Schritte',
  intro:
    'Was bis zum ersten Zeugnis noch fehlt. Jede Zeile führt zu ihrer Seite; was erledigt ist, bleibt sichtbar.',
  done: 'Erledigt',
  open: 'Offen',
  steps: {
    emailConfirmed: [
      'E-Mail-Adresse bestätigen',
      'Öffnen Sie den Link in der Mail, die wir Ihnen geschickt haben.',
    ],
    companyCreated: ['Firma anlegen', 'Mit ihrer UID-Nummer. Das Register füllt Name und Anschrift aus.'],
    companyVerified: [
      'Firma prüfen lassen',
      'Der Betreiber dieses Dienstes vergleicht sie mit dem Register.',
    ],
    mfaEnabled: ['Zweiten Faktor einrichten', 'Eine App auf dem Telefon. Der Live-Modus braucht ihn.'],
    walletCreated: [
      'Wallet anlegen',
      'Es enthält die Schlüssel der Firma. Bewahren Sie seine Wörter auf Papier auf.',
    ],
    identityCreated: [
      'Identität anlegen',
      'Der Schlüssel, der notarisiert, etwa einer je Werk. Machen Sie sie öffentlich.',
    ],
    firstCertificate: ['Das erste Zeugnis notarisieren', 'Im Testmodus können Sie sofort beginnen.'],
  },
}
