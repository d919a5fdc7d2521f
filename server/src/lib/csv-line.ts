/** RFC 4180, without the end of the line. */
export const csvLine = (cells: readonly string[]): string => cells.map(cell).join(',')

/** The apostrophe keeps a spreadsheet from running the text as a formula. */
const cell = (text: string): string => {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
