import type { Texts } from '../languages.ts'

export const texts: Texts['me'] = {
  title: 'Mein Konto',
  account: 'Konto',
  username: 'Benutzername',
  email: 'E-Mail-Adresse',
  emailHint: 'Eine neue Adresse gilt, sobald Sie den Link öffnen, den wir dorthin schicken.',
  emailSent: (address) =>
    `Wir haben einen Link an ${address} geschickt. Öffnen Sie ihn, um die neue Adresse zu bestätigen.`,
  language: 'Sprache',
  languageHint: 'Auch für die E-Mails, die wir Ihnen schicken.',
  theme: 'Darstellung',
  saveName: 'Namen ändern',
  saveEmail: 'Adresse ändern',
  saved: 'Gespeichert.',
  notSaved: 'Ihr Konto wurde nicht geändert',
  usernameRule: 'Mindestens 4 Buchstaben, Ziffern und . _ - +',
  password: {
    title: 'Passwort',
    current: 'Aktuelles Passwort',
    next: 'Neues Passwort',
    again: 'Neues Passwort noch einmal',
    rule: 'Mindestens 8 Zeichen. Ein kurzer Satz eignet sich gut.',
    tooShort: 'Verwenden Sie mindestens 8 Zeichen.',
    differs: 'Die beiden neuen Passwörter sind verschieden.',
    wrong: 'Das ist nicht Ihr aktuelles Passwort.',
    change: 'Passwort ändern',
    changed: 'Das Passwort wurde geändert. Alle Ihre anderen Sitzungen wurden beendet.',
    failed: 'Das Passwort wurde nicht geändert',
  },
  mfa: {
    title: 'Zweiter Faktor',
    on: 'Ein',
    off: 'Aus',
    why: 'Eine App auf Ihrem Telefon zeigt einen Code, den Sie beim Anmelden eingeben. Mit dem Passwort allein kann sich dann niemand anmelden, und der Live-Modus steht offen.',
    add: 'Zweiten Faktor einrichten',
    addAnother: 'Weiteres Gerät hinzufügen',
    name: 'Name des Geräts',
    defaultName: 'Telefon',
    start: 'Code zum Scannen zeigen',
    scan: 'Scannen Sie diesen Code mit einer Authenticator-App, zum Beispiel Aegis, Google Authenticator oder Microsoft Authenticator.',
    qr: 'QR-Code für die Authenticator-App',
    secret: 'Oder tippen Sie diesen Schlüssel in die App',
    code: 'Die sechs Ziffern, die die App zeigt',
    codeRule: 'Geben Sie die sechs Ziffern ein, die die App gerade zeigt.',
    confirm: 'Einschalten',
    failed: 'Der zweite Faktor wurde nicht eingeschaltet',
    lastUsed: (when) => `verwendet ${when}`,
    neverUsed: 'noch nicht verwendet',
    unconfirmed: 'Nicht bestätigt',
    remove: 'Entfernen',
    removeTitle: (name) => `${name} entfernen`,
    removeLast:
      'Der zweite Faktor wird ausgeschaltet. Dann genügt Ihr Passwort für Ihr Konto, und der Live-Modus bleibt geschlossen, bis Sie ihn wieder einrichten. Alle Ihre anderen Sitzungen enden.',
    removeOne:
      'Codes dieses Geräts gelten nicht mehr. Ihre anderen Geräte bleiben. Alle Ihre anderen Sitzungen enden.',
    removeCode: 'Code dieses Geräts oder ein Wiederherstellungscode',
    removeCodeRule:
      'Geben Sie die sechs Ziffern ein, die das Gerät gerade zeigt. Ist es weg, geben Sie einen Wiederherstellungscode ein.',
    recovery: 'Wiederherstellungscodes',
    recoveryKept: (count) =>
      count === 1
        ? 'Sie haben einen unbenutzten Wiederherstellungscode. Er ersetzt einmal Ihren zweiten Faktor.'
        : `Sie haben ${count} unbenutzte Wiederherstellungscodes. Jeder ersetzt einmal Ihren zweiten Faktor.`,
    recoveryMissing:
      'Sie haben keine unbenutzten Wiederherstellungscodes. Ohne Ihren zweiten Faktor können Sie sich nicht anmelden.',
    newCodes: 'Neue Wiederherstellungscodes erzeugen',
    newCodesConsequence:
      'Die bisherigen Codes gelten sofort nicht mehr, und alle Ihre anderen Sitzungen enden. Die neuen werden nur jetzt gezeigt.',
    yourCodes: 'Ihre Wiederherstellungscodes',
    keep: 'Schreiben Sie sie auf und bewahren Sie sie getrennt vom Telefon auf. Mit jedem können Sie sich einmal anmelden, wenn Ihr zweiter Faktor weg ist. Sie werden nicht noch einmal gezeigt.',
    kept: 'Ich habe sie aufgeschrieben',
  },
  passkeys: {
    title: 'Passkeys',
    why: 'Mit einem Passkey melden Sie sich ohne Passwort an: mit Ihrem Finger, Ihrem Gesicht oder der PIN Ihres Geräts. Eine gefälschte Seite kann ihn nicht verwenden.',
    impossible: 'Dieser Browser kann keine Passkeys erzeugen.',
    add: 'Passkey hinzufügen',
    name: 'Name des Passkeys',
    defaultName: 'Dieses Gerät',
    create: 'Passkey erzeugen',
    cancelled: 'Es wurde kein Passkey erzeugt. Versuchen Sie es noch einmal, wenn Sie bereit sind.',
    failed: 'Der Passkey wurde nicht hinzugefügt',
    created: (when) => `erzeugt ${when}`,
    backedUp: 'gesichert',
    notBackedUp: 'nur auf diesem Gerät',
    removeOne: 'Dieser Passkey gilt nicht mehr. Alle Ihre anderen Sitzungen enden.',
  },
  sessions: {
    title: 'Sitzungen',
    since: 'Angemeldet',
    here: 'Dieses Gerät',
    on: (browser, system) => `${browser} auf ${system}`,
    unknown: 'Unbekanntes Gerät',
    end: 'Beenden',
    endTitle: (device) => `Sitzung beenden: ${device}`,
    endConsequence: 'Dieses Gerät muss sich neu anmelden.',
    endOthers: 'Alle anderen beenden',
    endOthersConsequence: (count) =>
      count === 1
        ? 'Ein anderes Gerät muss sich neu anmelden. Dieses Gerät bleibt angemeldet.'
        : `${count} andere Geräte müssen sich neu anmelden. Dieses Gerät bleibt angemeldet.`,
  },
  notices: {
    title: 'Hinweise',
    noMfa:
      'Ihr Konto hat keinen zweiten Faktor. Richten Sie ihn auf dieser Seite ein, um den Live-Modus zu nutzen.',
    noRecovery: 'Sie haben keine Wiederherstellungscodes. Erzeugen Sie auf dieser Seite neue.',
    oneFactor:
      'Sie haben sich ohne Ihren zweiten Faktor angemeldet. Melden Sie sich damit neu an, um den Live-Modus zu nutzen.',
    unconfirmed: (address) =>
      `${address} ist nicht bestätigt. Öffnen Sie den Link in der E-Mail, die wir Ihnen geschickt haben.`,
    none: 'Sie müssen nichts tun.',
    mails: (address) =>
      `Wir schreiben an ${address}, wenn sich Passwort, Adresse, zweiter Faktor oder eine Sitzung ändert. Diese Hinweise können Sie nicht abbestellen.`,
  },
  remove: {
    title: 'Konto löschen',
    text: 'Zeugnisse, die Sie notarisiert haben, bleiben gültig, und ihre Einträge im Ledger bleiben bestehen.',
    action: 'Mein Konto löschen',
    consequence:
      'Sie werden überall abgemeldet und können sich nicht mehr anmelden. Ihre Mitgliedschaften enden. Das lässt sich nicht rückgängig machen.',
  },
}
