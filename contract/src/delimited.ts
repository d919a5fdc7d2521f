/** The rows and cells of a table as text, of a spreadsheet or a CSV. Cells with line breaks or separators are quoted. */
export const readDelimited = (text: string, separator: string): readonly (readonly string[])[] => {
  const rows: string[][] = [[]]
  let cell = ''
  let isQuoted = false
  const end = (): void => {
    rows.at(-1)?.push(cell.trim())
    cell = ''
  }
  for (const character of text.replaceAll(/\r\n?/g, '\n')) {
    if (isQuoted ? character === '"' : character === '"' && cell === '') isQuoted = !isQuoted
    else if (isQuoted) cell += character
    else if (character === separator) end()
    else if (character === '\n') {
      end()
      rows.push([])
    } else cell += character
  }
  end()
  return rows.filter((row) => row.some((each) => each !== ''))
}
