import type { Texts } from '../languages.ts'

export const texts: Texts['findings'] = {
  found: (count) => `${count === 1 ? '1 Befund' : `${count} Befunde`}: Das Zeugnis widerspricht sich`,
  noAddress:
    'Das Zeugnis nennt keine E-Mail-Adresse eines Empfängers. Nur Ihre Firma bekommt es per E-Mail; ergänzen Sie die Adresse vor dem Notarisieren.',
  notarizeWith: (count) => `Mit ${count === 1 ? '1 Befund' : `${count} Befunden`} notarisieren`,
  consequence:
    'Korrigieren Sie zuerst, was falsch ist. Muss es so bleiben, wird es dauerhaft so eingetragen, und das Audit-Log sagt, wie viele Befunde angenommen wurden.',
  accept: (count) =>
    count === 1
      ? 'Ich habe diesen Befund gelesen: notarisieren'
      : `Ich habe diese ${count} Befunde gelesen: notarisieren`,
}
