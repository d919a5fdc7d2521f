import type { Sentences } from '../in-words.ts'

/** What is wrong in what somebody typed. */
export const entries: Sentences = [
  [/^is required when a company is rejected$/, 'fehlt: Die Ablehnung einer Firma braucht einen Grund'],
  [/^(?:value )?is required$/, 'fehlt'],
  [/^must be a time$/, 'muss ein Zeitpunkt sein'],
  [/^must NOT have fewer than (\d+) characters$/, 'braucht mindestens $1 Zeichen'],
  [/^must NOT have more than (\d+) characters$/, 'darf höchstens $1 Zeichen haben'],
  [/^must NOT have fewer than (\d+) items$/, 'braucht mindestens $1 Einträge'],
  [/^must NOT have more than (\d+) items$/, 'darf höchstens $1 Einträge haben'],
  [/^must match format "(.+)"$/, 'hat nicht das Format „$1“'],
  [/^must match pattern .+$/, 'hat nicht die verlangte Form'],
  [/^must be >=? (.+)$/, 'muss mindestens $1 sein'],
  [/^must be <=? (.+)$/, 'darf höchstens $1 sein'],
  [/^never changes$/, 'lässt sich nicht ändern'],
  [
    /^must be plain text without < and > and invisible characters; it has (.+)$/,
    'muss Text ohne < und > und ohne unsichtbare Zeichen sein; es enthält $1',
  ],
  [
    /^can have letters, digits and \. _ - \+ only, and not the character (.+)$/,
    'darf nur Buchstaben, Ziffern und . _ - + enthalten, nicht das Zeichen $1',
  ],
  [/^must have plain letters and digits.*$/, 'darf nur gewöhnliche Buchstaben und Ziffern enthalten'],
  [
    /^has accents without a letter, or too many on one$/,
    'hat Akzente ohne Buchstaben oder zu viele auf einem',
  ],
  [
    /^must have the letters of one script only.*$/,
    'darf nur Buchstaben einer Schrift enthalten, zum Beispiel lateinische',
  ],
  [
    /^looks like the name of another user: .+$/,
    'sieht aus wie der Name eines anderen Kontos: Wählen Sie einen, der sich mehr unterscheidet',
  ],
  [
    /^looks like that of the operator of the service$/,
    'sieht aus wie der Name des Betreibers dieses Dienstes',
  ],
  [
    /^must not be the username or the e-mail address$/,
    'darf nicht der Benutzername oder die E-Mail-Adresse sein',
  ],
  [/^must have at least (\d+) different characters$/, 'braucht mindestens $1 verschiedene Zeichen'],
  [/^must not be one of the most common passwords$/, 'darf keines der häufigsten Passwörter sein'],
  [
    /^must be more than a name or word that is easy to guess.*$/,
    'muss mehr sein als ein Name oder Wort, das leicht zu erraten ist',
  ],
  [/^\/currentPassword is not the current password$/, 'Das ist nicht Ihr jetziges Passwort'],
  [/^\/status: you cannot deactivate yourself$/, 'Sie können sich nicht selbst deaktivieren'],
  [
    /^\/email: you can enter at most (\d+) new addresses an hour$/,
    'Sie können in einer Stunde höchstens $1 neue Adressen eintragen',
  ],
  [/^\/email: only the user can change it$/, 'Die E-Mail-Adresse kann nur die Person selbst ändern'],
  [/^You cannot review a company you belong to$/, 'Sie können keine Firma prüfen, zu der Sie gehören'],
  [
    /^Send the current code of this authenticator, or a recovery code, as code$/,
    'Geben Sie den aktuellen Code dieses Authenticators ein oder einen Wiederherstellungscode',
  ],
  [
    /^You can own (\d+) companies that are not verified: .+$/,
    'Sie können $1 unbestätigte Firmen haben: Löschen Sie eine, oder warten Sie auf ihre Prüfung',
  ],
  [
    /^A company that is not verified can invite (\d+) people within (\d+) days$/,
    'Eine unbestätigte Firma kann in $2 Tagen $1 Personen einladen',
  ],
  [/^At most (\d+) invitations a day$/, 'Höchstens $1 Einladungen am Tag'],
  [/^Needs the role (\S+), the caller is (\S+)$/, 'Ihre Rolle in der Firma reicht dafür nicht'],
  [/^It is not in the VAT register$/, 'Sie steht nicht im UID-Register'],
  [/^It is longer than any VAT id$/, 'Sie ist länger als jede UID-Nummer'],
  [/^It has to begin with the two letters of its country$/, 'Sie beginnt mit den zwei Buchstaben des Landes'],
  [/^VAT ids of (\S+) are unknown$/, 'UID-Nummern aus $1 sind unbekannt'],
  [/^VAT ids of (\S+) look like (.+)$/, 'UID-Nummern aus $1 sehen so aus: $2'],
  [/^Its check digits do not fit$/, 'Ihre Prüfziffern stimmen nicht'],
  [/^must be a VAT id or a mail domain$/, 'muss eine UID-Nummer oder eine Domain für E-Mails sein'],
  [/^must contain a letter or a digit$/, 'braucht einen Buchstaben oder eine Ziffer'],
  [/^The limit is (\d+)$/, 'Höchstens $1 sind möglich'],
  [/^is larger than (\d+) bytes$/, 'ist größer als $1 Bytes'],
  [/^is larger than (\d+) pixels a side$/, 'hat an einer Seite mehr als $1 Punkte'],
  [
    /^is an SVG drawing: only PNG and JPEG are shown$/,
    'ist eine SVG-Zeichnung: Möglich sind nur PNG und JPEG',
  ],
  [/^is neither PNG nor JPEG$/, 'ist weder PNG noch JPEG'],
  [/^is not (?:a (?:PNG|JPEG) file|valid Base64)$/, 'ist kein lesbares Bild'],
  [
    /^(?:is cut off|is damaged|has no readable PNG header|has no palette|does not decompress)$/,
    'ist beschädigt',
  ],
  [/^ends before its (?:first|last) pixel$/, 'ist unvollständig'],
  [/^has (?:too many pixels|no size)$/, 'hat eine unbrauchbare Größe'],
  [/^has other colours than grey or RGB$/, 'hat andere Farben als Grau oder RGB'],
  [/^is empty$/, 'ist leer'],
]
