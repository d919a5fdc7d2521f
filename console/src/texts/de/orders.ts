import type { texts as english } from '../en/orders.ts'

export const texts: typeof english = {
  title: 'Bestellungen',
  intro:
    'Was Sie bestellt haben. Jedes Zeugnis wird mit der Zeile verglichen, die es nennt: Bestellung, Position, Werkstoff, Maße und Menge, auch wenn das Material in Teilen kommt.',
  none: 'Noch keine Bestellpositionen',
  noneText:
    'Fügen Sie sie aus einer Tabelle ein, oder wählen Sie eine CSV-Datei mit den Spalten Bestellung, Position, Werkstoff, Abmessungen, Menge, Einheit, Schmelzen und Anforderung. Bis dahin werden Zeugnisse nicht mit Bestellungen verglichen.',
  columns: {
    order: 'Bestellung',
    item: 'Position',
    grade: 'Werkstoff',
    dimensions: 'Abmessungen',
    quantity: 'Menge',
    heats: 'Schmelzen',
    requirement: 'Anforderung',
    actions: 'Aktionen',
  },
  lines: 'Bestellpositionen',
  chooseFile: 'CSV-Datei wählen',
  kept: (count) =>
    count === 1 ? '1 Bestellposition gespeichert.' : `${count} Bestellpositionen gespeichert.`,
  notKept: 'Die Bestellpositionen wurden nicht gespeichert',
  unknownColumns: (names) => `Nicht übernommen, weil keine Spalte so heißt: ${names}`,
  remove: 'Entfernen',
  removeOf: (name) => `${name} entfernen`,
  removeText: (name) =>
    `Zeugnisse werden nicht mehr mit ${name} verglichen. Die Fassungen bleiben über ihren Hashwert lesbar.`,
}
