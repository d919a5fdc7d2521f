/** Spreadsheets run texts that begin like a formula, so these get an apostrophe. */
const harmless = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text)

const quoted = (text: string): string => `"${harmless(text).replaceAll('"', '""')}"`

/** Rows for spreadsheets, which expect semicolons where the comma separates decimals. */
export const writeCsv = (rows: readonly (readonly string[])[], language: string): Blob => {
  const separator = language === 'en' ? ',' : ';'
  const lines = rows.map((row) => row.map(quoted).join(separator))
  // The mark at the beginning tells Excel that this is UTF-8.
  return new Blob([`\u{FEFF}${lines.join('\r\n')}\r\n`], { type: 'text/csv;charset=utf-8' })
}
