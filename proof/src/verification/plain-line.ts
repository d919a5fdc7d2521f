/** Makes text from a stranger safe to print: no line breaks, no terminal escapes, nothing that is not seen or turns the direction. */
export const plainLine = (text: string, longest = 500): string => {
  const line = text
    .toWellFormed()
    .replaceAll(/[\p{Cf}\p{DI}]+/gu, '')
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
  const letters = [...line]
  return letters.length > longest ? `${letters.slice(0, longest - 1).join('')}…` : line
}
