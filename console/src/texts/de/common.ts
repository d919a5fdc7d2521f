import type { Texts } from '../languages.ts'

export const texts: Texts['common'] = {
  cancel: 'Abbrechen',
  close: 'Schließen',
  save: 'Speichern',
  saved: 'Gespeichert',
  copy: 'Kopieren',
  copied: 'Kopiert',
  tryAgain: 'Noch einmal versuchen',
  loading: 'Wird geladen …',
  more: 'Mehr',
  requestId: 'Anfrage',
  optional: 'freiwillig',
  unreachable: 'Der Server antwortet nicht. Prüfen Sie Ihre Verbindung und versuchen Sie es noch einmal.',
  unexpected: (status) => `Der Server antwortete mit einem unerwarteten Fehler (${status}).`,
  typeToConfirm: (name) => `Zur Bestätigung ${name} eingeben`,
  test: 'Test',
  live: 'Live',
  yes: 'Ja',
  no: 'Nein',
}
