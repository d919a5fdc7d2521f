/** About the order lines of the company. */
export const texts = {
  title: 'Orders',
  intro:
    'What you ordered. Each certificate is compared with the line that it names: order, item, grade, dimensions and quantity, also if the material comes in parts.',
  none: 'No order lines yet',
  noneText:
    'Paste them from a spreadsheet, or choose a CSV file with the columns order, item, grade, dimensions, quantity, unit, heats and requirement. Until then, certificates are not compared with orders.',
  columns: {
    order: 'Order',
    item: 'Item',
    grade: 'Grade',
    dimensions: 'Dimensions',
    quantity: 'Quantity',
    heats: 'Heats',
    requirement: 'Requirement',
    actions: 'Actions',
  },
  lines: 'order lines',
  chooseFile: 'Choose a CSV file',
  kept: (count: number) => (count === 1 ? '1 order line saved.' : `${count} order lines saved.`),
  notKept: 'The order lines were not saved',
  unknownColumns: (names: string) => `Not taken over, because no column has this name: ${names}`,
  remove: 'Remove',
  removeOf: (name: string) => `Remove ${name}`,
  removeText: (name: string) =>
    `Certificates are no longer compared with ${name}. Its versions stay readable by their hash.`,
}
