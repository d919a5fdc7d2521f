import type { Texts } from '../languages.ts'

export const texts: Texts['customers'] = {
  title: 'Kunden',
  intro:
    'Sie werden vorgeschlagen, während Sie im Formular eines Zeugnisses den Namen eines Empfängers eingeben.',
  none: 'Noch keine Kunden',
  noneText:
    'Fügen Sie die Firmen hinzu, die Ihre Zeugnisse bekommen, damit niemand eine Anschrift zweimal eingibt.',
  search: 'Kunden durchsuchen',
  searchHint: 'Name, Umsatzsteuer-ID, Ort oder E-Mail',
  name: 'Name',
  vatId: 'Umsatzsteuer-ID',
  emails: 'E-Mail-Adressen',
  emailsHint: 'Eine pro Zeile. Dorthin werden Zeugnisse gesendet',
  address: 'Anschrift',
  street: 'Straße und Hausnummer',
  zipCode: 'Postleitzahl',
  city: 'Ort',
  country: 'Land',
  noCountry: 'Kein Land',
  language: 'Sprache der Zeugnisse',
  noLanguage: 'Jede Sprache',
  actions: 'Aktionen',
  add: 'Kunden hinzufügen',
  change: 'Ändern',
  changeOf: (name) => `${name} ändern`,
  remove: 'Löschen',
  removeOf: (name) => `${name} löschen`,
  removeText: (name) =>
    `Alles, was über ${name} gespeichert ist, wird endgültig gelöscht. Zeugnisse behalten ihren Inhalt, bis ihre Aufbewahrung endet.`,
  notSaved: 'Der Kunde wurde nicht gespeichert',
  notExported: 'Die Kunden wurden nicht exportiert',
  exportAs: (format) => `Alle als ${format} exportieren`,
  keep: (name) => `${name} als Kunden behalten`,
  kept: (name) => `${name} ist jetzt als Kunde gespeichert.`,
}
