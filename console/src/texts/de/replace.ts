import type { Texts } from '../languages.ts'

export const texts: Texts['replace'] = {
  title: (number) => `${number} ersetzen`,
  intro: 'Was tritt an seine Stelle? Notarisiert wird erst, wenn Sie beide gesehen haben.',
  write: 'Mit diesen Daten schreiben',
  chooseFile: 'Datei auswählen',
  otherFile: 'Andere Datei auswählen',
  backToForm: 'Zurück zum Formular',
  former: 'Bisher',
  next: 'Neu',
  differences: (count) => (count === 1 ? '1 Unterschied' : `${count} Unterschiede`),
  same: 'Beide sagen dasselbe: Es gibt nichts zu ersetzen.',
  otherKind: 'Das neue Zeugnis ist von anderer Art: Vergleichen Sie beide Seiten.',
  erased:
    'Die Daten des alten Zeugnisses sind gelöscht: Seine Aufbewahrungsfrist ist vorbei. Gezeigt wird nur das neue.',
  place: 'Feld',
  nothing: 'nichts',
  invalid: 'Das neue Zeugnis ist zuerst zu korrigieren',
  act: 'Notarisieren und ersetzen',
  actDoubtful: 'Mit Befunden notarisieren und ersetzen',
  consequence:
    'Das neue Zeugnis wird notarisiert, und im Ledger steht für immer, dass es das alte ersetzt. Wer eines von beiden per E-Mail bekommt, erhält eine Nachricht, und Ihr Grund ist öffentlich.',
  alreadyReplaced: 'Es ist schon ersetzt.',
  toSuccessor: 'Das Zeugnis öffnen, das es ersetzt',
}
